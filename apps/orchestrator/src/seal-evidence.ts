import { type BusMessage, conversationKeyOf, deterministicId, topics } from '@latch/contracts';
import { type EventStore, type EvidenceSeal, type SigningKey } from '@latch/event-store';
import { type Bus, makeEnvelope, toBusMessage } from '@latch/messaging';
import { type Logger, type Metrics, repeat } from '@latch/observability';

/** What sealing needs. */
export type SealingParts = {
  readonly store: Pick<EventStore, 'sealEvidence' | 'outbox'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly metrics: Pick<Metrics, 'evidenceSealedTime'>;
  readonly logger: Logger;
  /** Null: nothing is sealed, which is said once. */
  readonly key: SigningKey | null;
  /** Between two rounds, in milliseconds. */
  readonly everyMs: number;
};

/** The most events under one seal: its heads are hashed in memory. */
const maxEvents = 5_000;

/**
 * Signs the heads of the streams that have grown, now and then, and tells each seal on the signals topic: whoever keeps those notices when evidence or seals are
 * taken away later (invariant I15). Any number of replicas may do it at once: one seals.
 *
 * @returns a function that stops it and waits for the seal that is being made.
 */
export function startSealing(parts: SealingParts): () => Promise<void> {
  const { key, logger, metrics } = parts;
  if (!key) {
    logger.info('evidence.not_sealed', { reason: 'LATCH_SIGNING_KEY is not set' });
    return () => Promise.resolve();
  }
  const round = async (isStopped: () => boolean): Promise<void> => {
    while (!isStopped() && (await sealNext(parts, key)));
    metrics.evidenceSealedTime.set({}, Date.now() / 1000);
  };
  const onError = (error: unknown): void => logger.warn('evidence.not_sealed', { error });
  return repeat({ round, everyMs: parts.everyMs, onError });
}

/** @returns whether there may be more. What a crash leaves between commit and publish is published by the relay. */
async function sealNext({ store, bus, logger }: SealingParts, key: SigningKey): Promise<boolean> {
  const outcome = await store.sealEvidence({ key, maxEvents, announce: sealMessage });
  if (outcome.kind !== 'sealed') return false;
  const { number, events, heads, hash } = outcome.seal;
  logger.info('evidence.sealed', { seal_number: number, events, heads, hash });
  await bus.publish([outcome.message]);
  await store.outbox.markPublished([outcome.message.eventId]);
  return events === maxEvents;
}

/** The signal that tells a seal: enough to check that it, and all before it, are still there. */
export function sealMessage(seal: EvidenceSeal): BusMessage {
  const identity = { tenant_id: 'platform', agent_id: 'orchestrator', session_id: 'evidence' };
  const envelope = makeEnvelope({
    eventType: 'IC.EVIDENCE_SEALED',
    eventId: deterministicId('evidence-sealed', seal.hash),
    payload: {
      seal_number: seal.number,
      sealed_at: seal.sealedAt,
      previous_hash: seal.previousHash,
      hash: seal.hash,
      heads: seal.heads,
      heads_digest: seal.headsDigest,
      events: seal.events,
      key_id: seal.keyId,
      signature: seal.signature,
    },
    timestamp: seal.sealedAt,
    contractVersion: 'event-envelope-v1',
    severity: 'info',
    tenantId: identity.tenant_id,
    agentId: identity.agent_id,
    sessionId: identity.session_id,
    conversationKey: conversationKeyOf(identity),
    traceId: deterministicId('evidence-sealed', seal.hash),
    producer: 'orchestrator',
  });
  return toBusMessage(topics.signals, envelope, {});
}
