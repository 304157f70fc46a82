import { type BusMessage, type Topic, topics, ToolResult } from '@latch/contracts';
import { type EventStore, type StoredEvent, type StoredStream } from '@latch/event-store';
import { makeEnvelope, toBusMessage } from '@latch/messaging';
import { invocationMessage, signalMessage, type Work } from '@latch/orchestrator/engine';
import { factsOf, identityOf, isWhole, livePartOf, type PinnedConfigs } from '@latch/replay';
import { configDigestOf, initialState, react, type ReplayedStep, replaySteps } from '@latch/transaction';
import { rebuiltWork } from './rebuilt-work.ts';

/** The topics whose messages the event store can make again, and what they are made of. */
export const reemittable = {
  [topics.turns]: 'what users said, as it was read',
  [topics.toolInvocations]: 'the calls that were approved',
  [topics.toolResults]: 'the results that were acted upon',
  [topics.responses]: 'the answers, byte for byte',
  [topics.signals]: "the engine's signals",
} as const satisfies Partial<Record<Topic, string>>;

/** One of them. */
export type ReemittableTopic = keyof typeof reemittable;

/** Whether the event store can make the messages of a topic again. */
export function isReemittable(topic: string): topic is ReemittableTopic {
  return Object.hasOwn(reemittable, topic);
}

/** What is emitted again: the messages of a topic that were caused in a stretch of time, from `from` until before `to`. */
export type Reemission = { readonly topic: ReemittableTopic; readonly from: string; readonly to: string };

type Sources = { readonly store: Pick<EventStore, 'readTurns'>; readonly configs: PinnedConfigs };

/** A decision, with what its messages are made of. */
type Told = { readonly step: ReplayedStep; readonly event: StoredEvent; readonly work: Work };

/** The messages that a conversation once published, in their order and under their old ids. None of an erased one: what it said is gone. */
export async function messagesOfStream(
  stream: StoredStream,
  what: Reemission,
  { store, configs }: Sources,
): Promise<readonly BusMessage[]> {
  const live = livePartOf(stream.events);
  if (!isWhole(live)) return [];
  await configs.load(stream);
  const identity = identityOf(stream);
  const told: Told[] = [];
  for (const step of replaySteps(initialState(identity), factsOf(live.events))) {
    const event = live.events[step.version - 1];
    if (event && step.input.at >= what.from && step.input.at < what.to) {
      told.push({ step, event, work: rebuiltWork(identity, step.input, event) });
    }
  }
  if (what.topic === topics.responses) return answersOf(told, stream, store);
  return told.flatMap((one) => messagesOfStep(one, what.topic, configs));
}

async function answersOf(
  told: readonly Told[],
  { conversation }: StoredStream,
  store: Sources['store'],
): Promise<readonly BusMessage[]> {
  const answered = told.flatMap(({ step }) =>
    step.events.flatMap((event) => (event.type === 'TurnAnswered' ? [event.turnId] : [])),
  );
  const turns = await store.readTurns(conversation.tenantId, answered);
  return answered.flatMap((turnId) => {
    const response = turns.get(turnId)?.response ?? null;
    return response === null ? [] : [answerMessage(response, conversation.conversationKey)];
  });
}

/** The stored text is the envelope as it was published: it is published again as it is. */
function answerMessage(value: string, key: string): BusMessage {
  const envelope: unknown = JSON.parse(value);
  const eventId = String(Reflect.get(Object(envelope), 'event_id'));
  const type = String(Reflect.get(Object(envelope), 'event_type'));
  const headers = { 'content-type': 'application/json', ce_specversion: '1.0', ce_id: eventId, ce_type: type };
  return { topic: topics.responses, key, eventId, value, headers: { ...headers, ce_source: '/latch/orchestrator' } };
}

function messagesOfStep(told: Told, topic: ReemittableTopic, configs: PinnedConfigs): readonly BusMessage[] {
  if (topic === topics.turns) return turnMessages(told);
  if (topic === topics.toolResults) return resultMessages(told);
  const { step, work } = told;
  const agent = configs.agentOf(configDigestOf(step) ?? '');
  if (agent === undefined) return [];
  const { before, after, input, events } = step;
  const reaction = react({ before, after, input, events, agent });
  const decided = { work, agent, events, after, reaction };
  const { at } = input;
  if (topic === topics.toolInvocations) return reaction.invocations.map((call) => invocationMessage(decided, call, at));
  return reaction.signals.map((signal, index) => signalMessage(decided, signal, { at, index }));
}

function turnMessages({ step, work, event }: Told): readonly BusMessage[] {
  if (work.kind !== 'turn') return [];
  const parts = {
    eventType: 'IC.GATEWAY_RECEIVED',
    payload: work.request,
    contractVersion: 'gateway-request-v1',
  } as const;
  const messageId = work.request.payload.message_id;
  return [
    envelopeMessage(
      topics.turns,
      { ...parts, eventId: work.eventId, messageId, producer: 'ingress' },
      { step, event, work },
    ),
  ];
}

function resultMessages({ step, work, event }: Told): readonly BusMessage[] {
  if (step.input.type !== 'ToolResultArrived') return [];
  const { result, eventId } = step.input;
  const parts = {
    eventType: 'IC.TOOL_COMPLETED',
    payload: ToolResult.parse(result),
    contractVersion: 'tool-result-v1',
  } as const;
  const { transaction_id: transactionId } = result;
  return [
    envelopeMessage(
      topics.toolResults,
      { ...parts, eventId, transactionId, producer: 'result-normalizer' },
      { step, event, work },
    ),
  ];
}

type Parts = Parameters<typeof makeEnvelope>[0];
type Given = 'eventType' | 'payload' | 'contractVersion' | 'eventId' | 'messageId' | 'transactionId' | 'producer';

function envelopeMessage(topic: Topic, parts: Pick<Parts, Given>, { step, work }: Told): BusMessage {
  const { tenantId, agentId, sessionId, conversationKey } = work.identity;
  const whose = { tenantId, agentId, sessionId, conversationKey, traceId: work.traceId };
  return toBusMessage(topic, makeEnvelope({ ...parts, ...whose, timestamp: step.input.at }));
}
