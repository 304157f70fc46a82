import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type BusMessage, EventEnvelope } from '@latch/contracts';
import { type EvidenceSeal, readSigningKey } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { startKeepingPartitions } from './keep-partitions.ts';
import { sealMessage, type SealingParts, startSealing } from './seal-evidence.ts';

const logger = createLogger({ service: 'spec', level: 'silent' });
const seal: EvidenceSeal = {
  number: 7,
  previousHash: 'a'.repeat(64),
  sealedAt: '2026-11-30T12:00:00.000Z',
  writtenBy: '900',
  position: '12',
  events: 3,
  heads: 2,
  headsDigest: 'b'.repeat(64),
  keyId: 'c'.repeat(16),
  hash: 'd'.repeat(64),
  signature: 'signature',
};

function signingKey() {
  const pkcs8 = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
  const read = readSigningKey(pkcs8.toString('base64'));
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

/** A store that has this many full seals to make and then one that is not full. */
function storeWith(full: number) {
  const log: string[] = [];
  let left = full;
  const parts: SealingParts = {
    store: {
      sealEvidence: ({ announce }) => {
        const events = left > 0 ? 5_000 : 3;
        left -= 1;
        const made = { ...seal, number: full - left, events };
        log.push(`seal ${made.number}`);
        return Promise.resolve({ kind: 'sealed', seal: made, message: announce(made) });
      },
      outbox: {
        readPending: () => Promise.resolve([]),
        markPublished: (ids) => Promise.resolve(void log.push(`let go of ${ids.length}`)),
        measure: () => Promise.resolve({ pending: 0, oldestAgeSeconds: 0 }),
      },
    },
    bus: { publish: (messages) => Promise.resolve(void log.push(`publish ${messages.length}`)) },
    metrics: { evidenceSealedTime: { set: () => void log.push('all sealed') } },
    logger,
    key: signingKey(),
    everyMs: 60_000,
  };
  return { parts, log };
}

describe('sealing', () => {
  it('goes on until a seal is not full, and tells each one before the next', async () => {
    const { parts, log } = storeWith(1);
    await startSealing(parts)();
    expect(log).toEqual([
      ...['seal 1', 'publish 1', 'let go of 1', 'seal 2', 'publish 1', 'let go of 1'].slice(0, log.length - 1),
      'all sealed',
    ]);
  });

  it('does nothing without a key', async () => {
    const { parts, log } = storeWith(1);
    await startSealing({ ...parts, key: null })();
    expect(log).toEqual([]);
  });

  it('goes on with the next round when one failed', async () => {
    const { parts, log } = storeWith(0);
    const store = { ...parts.store, sealEvidence: () => Promise.reject(new Error('away')) };
    await startSealing({ ...parts, store })();
    expect(log).toEqual([]);
  });
});

describe('the signal of a seal', () => {
  it('is an envelope that holds what is signed, under the same id when it is told again', () => {
    const [one, two]: BusMessage[] = [sealMessage(seal), sealMessage(seal)];
    expect(one).toEqual(two);
    const envelope = EventEnvelope.parse(JSON.parse(one?.value ?? ''));
    expect(envelope).toMatchObject({
      event_type: 'IC.EVIDENCE_SEALED',
      payload: { seal_number: 7, hash: seal.hash, previous_hash: seal.previousHash, signature: 'signature' },
    });
  });
});

describe('keeping partitions', () => {
  it('raises the metric when an event lies outside, and clears it', async () => {
    const values: number[] = [];
    for (const hasEventsOutside of [true, false]) {
      const store = { keepPartitions: () => Promise.resolve({ made: [], hasEventsOutside }) };
      const metrics = { eventsOutsidePartitions: { set: (_labels: object, value: number) => void values.push(value) } };
      await startKeepingPartitions({ store, metrics, logger })();
    }
    expect(values).toEqual([1, 0]);
  });
});
