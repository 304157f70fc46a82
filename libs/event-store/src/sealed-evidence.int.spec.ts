import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStore } from './event-store.ts';
import { type EvidenceSeal } from './evidence-seal.ts';
import { readSigningKey, type SigningKey } from './signing-key.ts';
import { type SealingOutcome } from './seal-evidence.ts';
import {
  appendBatch,
  appendOf,
  createStoreFixture,
  event,
  messageOf,
  newKey,
  type StoreFixture,
} from './store-fixture.features.ts';

let fixture: StoreFixture;
let store: EventStore;
let auditor: EventStore;
const key = newSigningKey();

beforeAll(async () => {
  fixture = await createStoreFixture();
  store = await fixture.open();
  auditor = await fixture.open('auditor');
}, 60_000);
afterAll(() => fixture.close());

function newSigningKey(): SigningKey {
  const pkcs8 = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const read = readSigningKey(pkcs8);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

const announce = (seal: EvidenceSeal) => ({
  topic: 'latch.signals.v1' as const,
  key: '*',
  eventId: `seal-${seal.number}`,
  value: JSON.stringify(seal),
  headers: {},
});

async function seal(by = store, maxEvents = 1_000): Promise<SealingOutcome> {
  return by.sealEvidence({ key, maxEvents, announce });
}

/** Seals until nothing is left; transactions of suites beside this one hold the end back for a moment. */
async function sealAll(expected: number): Promise<readonly EvidenceSeal[]> {
  const seals: EvidenceSeal[] = [];
  for (let events = 0, tries = 0; events < expected && tries < 400; tries += 1) {
    const outcome = await seal();
    if (outcome.kind === 'sealed') {
      seals.push(outcome.seal);
      events += outcome.seal.events;
    } else await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return seals;
}

describe('a seal', () => {
  it('signs the heads of all tenants that have grown, is chained to the one before, and verifies with the public key', async () => {
    await appendBatch(store, newKey('a'), { events: [event(1), event(2)] });
    await appendBatch(store, newKey('b'));
    const first = await sealAll(3);
    await appendBatch(store, newKey('a'));
    const second = await sealAll(1);
    const seals = [...first, ...second];
    expect(seals.map(({ number }) => number)).toEqual(seals.map((_, index) => index + 1));
    expect(second[0]?.previousHash).toBe(first.at(-1)?.hash);
    const report = await auditor.verifyStore({ publicKeys: [key.publicKey] });
    const last = seals.at(-1);
    expect(report).toEqual({
      isGood: true,
      streams: 3,
      events: 4,
      unsealedEvents: 0,
      seals: seals.length,
      lastSeal: { number: last?.number, hash: last?.hash, sealedAt: last?.sealedAt },
      signatures: 'checked',
      problems: [],
    });
  });

  it('is told by a message in the outbox of the service that sealed', async () => {
    const messages = await store.outbox.readPending({ olderThanMs: 0, limit: 100 });
    expect(messages.map(({ eventId }) => eventId)).toContain('seal-1');
  });

  it('is made by one of many replicas that seal at the same time, and covers each event once', async () => {
    for (let n = 0; n < 5; n += 1) await appendBatch(store, newKey(), { events: [event(1), event(2)] });
    const replicas = await Promise.all([fixture.open(), fixture.open(), fixture.open()]);
    let events = 0;
    for (let tries = 0; events < 10 && tries < 400; tries += 1) {
      const outcomes = await Promise.all(replicas.map((replica) => seal(replica, 3)));
      for (const outcome of outcomes) if (outcome.kind === 'sealed') events += outcome.seal.events;
    }
    expect(events).toBe(10);
    expect(await auditor.verifyStore({ publicKeys: [key.publicKey] })).toMatchObject({
      isGood: true,
      unsealedEvents: 0,
    });
  });

  it('never leaves out a batch that commits late', async () => {
    const [early, late] = [newKey(), newKey()];
    await store.inTransaction(async (tx) => {
      await tx.claim([messageOf(late)]);
      await tx.load([late]);
      await tx.append([appendOf(late)]);
      await appendBatch(store, early);
      await seal();
    });
    await sealAll(2);
    expect(await auditor.verifyStore({ publicKeys: [key.publicKey] })).toMatchObject({
      isGood: true,
      unsealedEvents: 0,
    });
  });

  it('is not trusted under another key, and says which key is unknown', async () => {
    const report = await auditor.verifyStore({ publicKeys: [newSigningKey().publicKey] });
    expect(report.problems).toMatchObject([{ kind: 'seal_key_unknown', first: { sealNumber: 1 } }]);
    expect(await auditor.verifyStore({ publicKeys: [] })).toMatchObject({ isGood: true, signatures: 'no_keys' });
  });
});

describe('a signing key', () => {
  it('that is none is refused with what to do, and never repeated', () => {
    const wrong = readSigningKey('c2VjcmV0');
    expect(wrong).toEqual({ ok: false, error: expect.stringContaining('openssl genpkey -algorithm ed25519') });
    expect(JSON.stringify(wrong)).not.toContain('c2VjcmV0');
  });
});
