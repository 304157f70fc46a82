import { type AgentConfig } from '@latch/contracts';
import { type EventStore } from '@latch/event-store';
import { type BundleSource } from './make-bundle.ts';
import { ownEvents } from './own-events.ts';

/** The reads that a bundle is made of. */
export type BundleReads = {
  readonly readTransaction: EventStore['readTransaction'];
  readonly readTurns: EventStore['readTurns'];
  readonly readConfigVersion: EventStore['readConfigVersion'];
  readonly now: EventStore['now'];
  readonly streams: Pick<EventStore['streams'], 'one'>;
  readonly evidence: Pick<EventStore['evidence'], 'receipts' | 'openings' | 'sealOf'>;
};

/** Reads everything that the bundle of a tenant's transaction is made of; undefined when there is no such transaction. */
export async function readBundleSource(
  store: BundleReads,
  of: { readonly tenantId: string; readonly transactionId: string; readonly publicKeys: readonly string[] },
): Promise<BundleSource | undefined> {
  const { tenantId, transactionId, publicKeys } = of;
  const transaction = await store.readTransaction(tenantId, transactionId);
  const stream = transaction && (await store.streams.one(tenantId, transaction.conversationKey));
  if (transaction === undefined || stream === undefined) return undefined;
  const own = ownEvents(stream.events, transactionId);
  const turnIds = own.flatMap(({ payload }) => turnIdIn(payload));
  const [receipts, openings, seal, turns, configurations, exportedAt] = await Promise.all([
    store.evidence.receipts(tenantId, transactionId),
    store.evidence.openings(tenantId, own),
    store.evidence.sealOf(tenantId, stream.conversation.streamId),
    store.readTurns(tenantId, [...new Set(turnIds)]),
    readConfigurations(
      store,
      own.flatMap(({ payload }) => digestsIn(payload)),
    ),
    store.now(),
  ]);
  return { transaction, stream, receipts, turns, openings, seal, configurations, publicKeys, exportedAt };
}

async function readConfigurations(
  store: Pick<BundleReads, 'readConfigVersion'>,
  digests: readonly string[],
): Promise<readonly AgentConfig[]> {
  const found = await Promise.all([...new Set(digests)].map((digest) => store.readConfigVersion(digest)));
  return found.flatMap((agent) => agent ?? []);
}

/** The digests that a fact names: of the decision, and of a proposal. */
export function digestsIn(payload: unknown): readonly string[] {
  const proposal: unknown = memberOf(payload, 'proposal');
  return [memberOf(payload, 'configDigest'), memberOf(proposal, 'configDigest')].filter(
    (one) => typeof one === 'string',
  );
}

function turnIdIn(payload: unknown): readonly string[] {
  const turnId = memberOf(memberOf(payload, 'input'), 'turnId');
  return typeof turnId === 'string' ? [turnId] : [];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
