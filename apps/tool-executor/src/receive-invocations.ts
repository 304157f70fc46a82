import { ToolInvocation } from '@latch/contracts';
import { type ApprovedInvocation, type EventStore, type Lease } from '@latch/event-store';
import { type Received, type ReceivedEnvelope } from '@latch/messaging';
import { type Logger } from '@latch/observability';
import { checkCapsule, type Refusal } from './check-capsule.ts';
import { type DatabaseClock } from './database-clock.ts';
import { refusalSignal } from './envelopes.ts';
import { type InvocationWork } from './execute-invocation.ts';

/** What receiving takes. */
export type IntakeParts = {
  readonly store: Pick<EventStore, 'readApprovedInvocations'> & {
    readonly ledger: Pick<EventStore['ledger'], 'claim'>;
  };
  readonly clock: Pick<DatabaseClock, 'set'>;
  readonly lease: Lease;
  /** Hands claimed work to the pool. */
  readonly enqueue: (work: InvocationWork) => void;
  readonly emit: (signals: readonly ReceivedEnvelope[]) => void;
  readonly logger: Logger;
};

/**
 * Takes a batch of announcements: what the engine approved is claimed in the ledger and handed to the pool; nothing is called here. A record that differs
 * from its approval, or has none, causes no call and no ledger row, only a NOC event; a record that comes again finds its invocation known.
 *
 * @throws RetryableError when the database does not answer; the batch comes again.
 */
export async function receiveInvocations(batch: readonly Received[], parts: IntakeParts): Promise<void> {
  const records = batch.map((received) => ({ received, invocation: ToolInvocation.parse(received.payload) }));
  const ids = records.flatMap(({ invocation }) => invocation.invocation_id ?? []);
  const [approvals] = await Promise.all([parts.store.readApprovedInvocations([...new Set(ids)]), parts.clock.set()]);
  const genuine: Genuine[] = [];
  for (const { received, invocation } of records) {
    const approved = approvals.get(invocation.invocation_id ?? '');
    const refusal = checkCapsule(invocation, approved);
    if (refusal !== null) refuse({ received, invocation, refusal }, parts);
    else if (approved !== undefined) genuine.push({ received, approved });
  }
  await claim(genuine, parts);
}

type Genuine = { readonly received: Received; readonly approved: ApprovedInvocation };

async function claim(genuine: readonly Genuine[], { store, lease, enqueue }: IntakeParts): Promise<void> {
  const claims = await store.ledger.claim(
    genuine.map(({ approved }) => approved),
    lease,
  );
  genuine.forEach(({ approved, received }, index) => {
    if (claims[index] !== 'claimed') return;
    enqueue({ approved, attempts: [], traceparent: received.record.headers['traceparent'] });
  });
}

type Refused = { readonly received: Received; readonly invocation: ToolInvocation; readonly refusal: Refusal };

function refuse({ received, invocation, refusal }: Refused, { emit, logger }: IntakeParts): void {
  const { envelope, record } = received;
  const { topic, partition, offset } = record;
  const { code, message } = refusal;
  const facts = { code, message, invocation_id: invocation.invocation_id ?? null, tool_name: invocation.tool_name };
  logger.error('invocation.refused', {
    ...facts,
    topic,
    partition,
    offset,
    conversation_key: envelope.conversation_key,
  });
  emit([refusalSignal(envelope, { ...facts, source: { topic, partition, offset } })]);
}
