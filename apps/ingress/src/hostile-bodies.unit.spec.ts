import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Problem } from '@latch/contracts';
import fc from 'fast-check';
import { message, openTestIngress, type TestIngress } from './test-ingress.features.ts';

/** JSON texts that a careful client never sends: valid messages with one thing replaced, cut, doubled or poisoned. */
const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json({ maxDepth: 5 }),
  fc.tuple(fc.nat(400), fc.string({ unit: 'grapheme', maxLength: 10 })).map(([at, insertion]) => {
    const text = JSON.stringify(message());
    return text.slice(0, at % text.length) + insertion + text.slice(at % text.length);
  }),
  fc.tuple(fc.nat(400), fc.nat(40)).map(([at, length]) => {
    const text = JSON.stringify(message());
    return text.slice(0, at % text.length) + text.slice((at % text.length) + length);
  }),
  fc
    .tuple(
      fc.constantFrom('channel', 'tenant_id', 'agent_id', 'payload', '__proto__', 'constructor', 'toString'),
      fc.jsonValue({ maxDepth: 4 }),
    )
    .map(([name, value]) => `{${JSON.stringify(name)}:${JSON.stringify(value)},${JSON.stringify(message()).slice(1)}`),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(message({ payload: { inputs: value } }))),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(message({ payload: { business_context: value } }))),
);

describe('any body at all', () => {
  let ingress: TestIngress;
  beforeAll(async () => {
    ingress = await openTestIngress();
  });
  afterAll(() => ingress.close());

  it('is either accepted and on the bus, or refused with a problem and not on the bus; never a crash', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        const before = ingress.turns.length;
        const answer = await ingress.send(text, { prefer: 'wait=0' });
        if (answer.status === 202) {
          await ingress.untilTurns(before + 1);
          return;
        }
        expect([400, 422]).toContain(answer.status);
        expect(Problem.parse(await answer.json()).status).toBe(answer.status);
        expect(ingress.turns).toHaveLength(before);
      }),
      { numRuns: 300 },
    );
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(namesOfObject);
  }, 60_000);
});

const namesOfObject = Object.getOwnPropertyNames(Object.prototype).sort();
