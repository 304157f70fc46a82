import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '@latch/contracts';
import { chainEvents, genesisHash, hashedText } from './hash-chain.ts';
import { event } from './store-fixture.features.ts';
import { verifyChain } from './verify-chain.ts';

const stream = { streamId: '0197f7a0-0000-7000-8000-000000000001', conversationKey: 'a:b:c', tenantId: 'a' };
const genesis = { version: 0, hash: genesisHash(stream) };

function chainOf(count: number) {
  const events = chainEvents(
    stream.streamId,
    genesis,
    Array.from({ length: count }, (_, index) => event({ index })),
  );
  const last = events.at(-1);
  return { events, head: last ? { version: last.version, hash: last.hash } : genesis };
}

describe('an untouched chain', () => {
  it('verifies, whatever its length', () => {
    for (const count of [0, 1, 2, 20]) {
      const { events, head } = chainOf(count);
      expect(verifyChain(stream, events, head)).toEqual({ ok: true, value: undefined });
    }
  });

  it('gives the same hashes whether appended at once or one by one', () => {
    const facts = [event({ a: 1 }), event({ b: 2 })];
    const atOnce = chainEvents(stream.streamId, genesis, facts);
    const [first] = chainEvents(stream.streamId, genesis, facts.slice(0, 1));
    const second = chainEvents(stream.streamId, { version: 1, hash: first?.hash ?? '' }, facts.slice(1));
    expect([first, ...second]).toEqual(atOnce);
  });

  it('does not depend on the order in which a payload names its members', () => {
    const fact = event();
    const [one] = chainEvents(stream.streamId, genesis, [{ ...fact, payload: { a: 1, b: 2 } }]);
    const [two] = chainEvents(stream.streamId, genesis, [{ ...fact, payload: { b: 2, a: 1 } }]);
    expect(one?.hash).toBe(two?.hash);
  });

  it('keeps instants to the millisecond in UTC, whatever the offset they came with', () => {
    const fact = event();
    const [one] = chainEvents(stream.streamId, genesis, [{ ...fact, occurredAt: '2026-11-30T09:00:00-03:00' }]);
    const [two] = chainEvents(stream.streamId, genesis, [{ ...fact, occurredAt: '2026-11-30T12:00:00.000Z' }]);
    expect(one).toEqual(two);
  });
});

describe('the text that is hashed', () => {
  it('is canonical JSON, whatever the fields hold', () => {
    const text = fc.string({ unit: 'binary' });
    const maybe = fc.option(text);
    const facts = fc.record({
      eventId: text,
      type: text,
      traceId: text,
      causationId: maybe,
      messageId: maybe,
      transactionId: maybe,
    });
    fc.assert(
      fc.property(facts, fc.nat(), (of, version) => {
        const written = { ...of, version, occurredAt: '2026-11-30T12:00:00.123Z', payloadDigest: 'd'.repeat(64) };
        const hashed = hashedText(stream.streamId, genesis.hash, written);
        expect(hashed).toBe(canonicalJson(JSON.parse(hashed)));
        expect(JSON.parse(hashed)).toMatchObject({ event_id: of.eventId, type: of.type, causation_id: of.causationId });
      }),
    );
  });
});

describe('a chain that somebody touched', () => {
  const { events, head } = chainOf(5);

  it('names the first event whose fields were edited, whichever field it is', () => {
    const edits = {
      payloadText: '{"index":99}',
      type: 'Other',
      eventId: 'other',
      occurredAt: '2027-01-01T00:00:00.000Z',
      causationId: 'other',
      messageId: 'other',
      transactionId: 'other',
      traceId: 'other',
    };
    for (const [field, value] of Object.entries(edits)) {
      const edited = events.map((fact) => (fact.version === 3 ? { ...fact, [field]: value } : fact));
      expect(verifyChain(stream, edited, head)).toEqual({ ok: false, error: { version: 3, reason: 'altered' } });
    }
  });

  it('names the place of a deleted event', () => {
    const rest = events.filter(({ version }) => version !== 2);
    expect(verifyChain(stream, rest, head)).toEqual({ ok: false, error: { version: 2, reason: 'missing' } });
  });

  it('sees a truncated end by the head that the conversation remembers', () => {
    expect(verifyChain(stream, events.slice(0, 3), head)).toEqual({
      ok: false,
      error: { version: 4, reason: 'truncated' },
    });
  });

  it('sees an event that was added behind the head', () => {
    const { events: longer } = chainOf(6);
    const extra = [...events, ...longer.slice(5)];
    expect(verifyChain(stream, extra, head).ok).toBe(false);
  });

  it('sees that a whole chain was put under another conversation or tenant', () => {
    expect(verifyChain({ ...stream, conversationKey: 'a:b:d' }, events, head).ok).toBe(false);
    expect(verifyChain({ ...stream, tenantId: 'b' }, events, head).ok).toBe(false);
  });

  it('sees any two events that change places', () => {
    fc.assert(
      fc.property(fc.nat(4), fc.nat(4), (from, to) => {
        fc.pre(from !== to);
        const swapped = events.map((fact, index) => {
          const other = index === from ? events[to] : index === to ? events[from] : undefined;
          return other ? { ...other, version: fact.version } : fact;
        });
        return !verifyChain(stream, swapped, head).ok;
      }),
    );
  });

  it('sees any edited character of any payload', () => {
    fc.assert(
      fc.property(fc.nat(4), fc.nat(8), (index, at) => {
        const edited = events.map((fact, position) =>
          position === index ? { ...fact, payloadText: flip(fact.payloadText, at) } : fact,
        );
        return !verifyChain(stream, edited, head).ok;
      }),
    );
  });
});

function flip(text: string, at: number): string {
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
}
