import { canonicalJson, ConversationKey, platformVersion } from '@latch/contracts';
import { type StoredEvent, type StoredStream } from '@latch/event-store';
import { z } from 'zod';
import { type HistoryScript } from './history-script.ts';
import { type PlayedConversation } from './played-conversation.ts';

/** First line of a recorded history: what it is, and whose stream. */
const Heading = z.object({
  history: z.literal('history-v1'),
  /** The release that wrote it. */
  latch: z.string(),
  name: z.string(),
  title: z.string(),
  covers: z.array(z.string()),
  conversation: z.object({
    streamId: z.string(),
    conversationKey: z.string(),
    tenantId: z.string(),
    agentId: z.string(),
    sessionId: z.string(),
  }),
  /** Digests of the configurations that were in use; each is a file in `configs/`. */
  configs: z.array(z.string()),
  /** The conversation in words, for the reader. */
  chat: z.array(z.string()),
});

/** A line for each event, as it is hashed. */
const EventLine = z.object({
  version: z.number(),
  eventId: z.string(),
  type: z.string(),
  occurredAt: z.string(),
  causationId: z.string().nullable(),
  messageId: z.string().nullable(),
  transactionId: z.string().nullable(),
  traceId: z.string(),
  payload: z.unknown(),
  hash: z.string(),
});

/** The last line: what was stored beside the events. */
const Ending = z.object({
  version: z.number(),
  headHash: z.string(),
  configDigest: z.string().nullable(),
  state: z.unknown(),
});

/** A recorded history, read. */
export type RecordedHistory = Omit<z.infer<typeof Heading>, 'conversation'> & { readonly stream: StoredStream };

/** The text of a recorded history: JSON lines, each canonical, so that a change shows in a diff as what it is. */
export function historyText({ name, title, covers }: HistoryScript, talk: PlayedConversation): string {
  const { conversation, events } = talk.stream();
  const { streamId, conversationKey, tenantId, agentId, sessionId } = conversation;
  const heading: z.infer<typeof Heading> = {
    ...{ history: 'history-v1', latch: platformVersion, name, title, covers: [...covers] },
    conversation: { streamId, conversationKey, tenantId, agentId, sessionId },
    configs: talk.configurations().map(({ digest }) => digest),
    chat: [...talk.chat()],
  };
  const { version, headHash, configDigest, state } = conversation;
  const lines = [heading, ...events.map(lineOf), { version, headHash, configDigest, state }];
  return lines.map((line) => `${canonicalJson(line)}\n`).join('');
}

function lineOf(event: StoredEvent): z.infer<typeof EventLine> {
  const { version, eventId, type, occurredAt, causationId, messageId, transactionId, traceId, payload, hash } = event;
  return { version, eventId, type, occurredAt, causationId, messageId, transactionId, traceId, payload, hash };
}

/** Reads a recorded history. @throws Error when it is none. */
export function readHistory(text: string): RecordedHistory {
  const lines: unknown[] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const { conversation, ...heading } = Heading.parse(lines[0]);
  const ending = Ending.parse(lines.at(-1));
  const conversationKey = ConversationKey.parse(conversation.conversationKey);
  const place = { streamId: conversation.streamId, tenantId: conversation.tenantId, conversationKey };
  const events = lines.slice(1, -1).map((line) => eventOf(EventLine.parse(line), place));
  const times = { createdAt: events[0]?.occurredAt ?? '', updatedAt: events.at(-1)?.occurredAt ?? '' };
  const stored = { ...conversation, ...ending, conversationKey, state: ending.state ?? null, deadline: null, ...times };
  return { ...heading, stream: { conversation: stored, events } };
}

function eventOf(
  { payload = null, ...line }: z.infer<typeof EventLine>,
  place: Pick<StoredEvent, 'streamId' | 'tenantId' | 'conversationKey'>,
): StoredEvent {
  return { ...line, ...place, payload, payloadText: canonicalJson(payload) };
}
