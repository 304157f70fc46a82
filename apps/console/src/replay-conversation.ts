import { failure, type Result, success } from '@latch/contracts';
import { type EventStore, type StoredStream } from '@latch/event-store';
import { type Refusal } from '@latch/http';
import { mostEvents, type StoreReader } from '@latch/read-api';
import {
  firstDifference,
  orUnreadable,
  pinnedConfigs,
  rebuildStream,
  redecideStream,
  type RedecideVerdict,
} from '@latch/replay';
import { type z } from 'zod';
import { type Rebuilt, type Redecided, type Verified } from './replay-answers.ts';

type Reader = Pick<StoreReader, 'read'>;

/** Which conversation, of which tenant. */
export type NamedConversation = { readonly tenantId: string; readonly conversationKey: string };

const unknown = failure({ status: 404, code: 'conversation.unknown' } as const);

/** Checks the hash chain of a conversation against its head and its seals, while it goes on (invariant I15). */
export async function verifyConversation(
  store: Reader,
  { tenantId, conversationKey }: NamedConversation,
): Promise<Result<z.output<typeof Verified>, Refusal>> {
  const read = await store.read((reads) => reads.verifyStream({ tenantId, conversationKey }));
  if (!read.ok) return read;
  if (read.value === undefined) return unknown;
  const { events, unsealedEvents, problem } = read.value;
  return success({
    conversation_key: conversationKey,
    tenant_id: tenantId,
    events,
    verdict: problem === undefined ? 'equal' : 'differs',
    sealed_events: events - unsealedEvents,
    problem: problem === undefined ? null : problemOf(problem),
  });
}

/** Folds the events of a conversation and compares with its stored state, byte for byte (invariant I6). */
export async function rebuildConversation(
  store: Reader,
  conversation: NamedConversation,
): Promise<Result<z.output<typeof Rebuilt>, Refusal>> {
  const stream = await wholeStream(store, conversation);
  if (!stream.ok) return stream;
  const rebuilt = await orUnreadable(stream.value, rebuildStream);
  const path = rebuilt.kind === 'differs' ? rebuilt.difference.path : null;
  return success({ ...askedOf(stream.value), verdict: rebuilt.kind, path });
}

/** Makes every decision of a conversation again from what was recorded, with the configurations that it was made with (invariant I21). */
export async function redecideConversation(
  store: Reader,
  conversation: NamedConversation,
): Promise<Result<z.output<typeof Redecided>, Refusal>> {
  const stream = await wholeStream(store, conversation);
  if (!stream.ok) return stream;
  const redecided = await store.read((reads) =>
    orUnreadable(stream.value, async (whole) => {
      const configs = pinnedConfigs(reads);
      await configs.load(whole);
      return redecideStream(whole, configs.agentOf);
    }),
  );
  if (!redecided.ok) return redecided;
  const found = redecided.value;
  const divergence = found.kind === 'differs' ? divergenceOf(found.divergence) : null;
  return success({ ...askedOf(stream.value), verdict: found.kind, divergence });
}

type Problem = NonNullable<NonNullable<Awaited<ReturnType<EventStore['verifyStream']>>>['problem']>;

function problemOf({ kind, version, untilVersion, detail }: Problem): z.output<typeof Verified>['problem'] {
  return { kind, version: version ?? null, until_version: untilVersion ?? null, detail };
}

/** It is folded and decided again in one go, so it must fit; the command line takes longer ones too. */
async function wholeStream(
  store: Reader,
  { tenantId, conversationKey }: NamedConversation,
): Promise<Result<StoredStream, Refusal>> {
  const count = await store.read((reads) => reads.countEvents(tenantId, conversationKey));
  if (!count.ok) return count;
  if ((count.value ?? 0) > mostEvents) return failure({ status: 422, code: 'conversation.too_long' });
  const read = await store.read((reads) => reads.streams.one(tenantId, conversationKey));
  if (!read.ok) return read;
  return read.value ? success(read.value) : unknown;
}

type Asked = Pick<z.output<typeof Rebuilt>, 'conversation_key' | 'tenant_id' | 'events'>;

function askedOf({ conversation, events }: StoredStream): Asked {
  const { conversationKey, tenantId } = conversation;
  return { conversation_key: conversationKey, tenant_id: tenantId, events: events.length };
}

type Divergence = Extract<RedecideVerdict, { readonly kind: 'differs' }>['divergence'];

function divergenceOf({
  version,
  reason,
  input,
  recorded,
  decided,
}: Divergence): z.output<typeof Redecided>['divergence'] {
  const types = (events: Divergence['recorded']): string[] => events.map(({ type }) => type);
  const path = firstDifference(recorded, decided)?.path ?? '$';
  return { version, reason, input: input.type, recorded: types(recorded), decided: types(decided), path };
}
