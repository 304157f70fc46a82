import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { agentDigest } from './agent-digest.ts';

const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 2, maxLength: 6 });

/** The same names twice, each time in an order of its own. */
const twoOrders = names.chain((some) =>
  fc.tuple(fc.shuffledSubarray(some, { minLength: some.length }), fc.shuffledSubarray(some, { minLength: some.length })),
);

function recordOf<T>(keys: readonly string[], valueOf: (key: string) => T): Record<string, T> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)]));
}

function agentWith(tool: object, more: object = {}): Record<string, unknown> {
  return { agentId: 'shop', intents: ['a', 'b'], tools: { cancel: tool }, ...more };
}

/** A tool in which the records of one kind stand in this order. */
const ordered = {
  parameters: (keys: readonly string[]) => ({ parameters: recordOf(keys, (name) => ({ name })) }),
  'keys of the mapping': (keys: readonly string[]) => ({ mapping: { map: recordOf(keys, () => 'order_id'), defaults: {} } }),
  'highest amounts': (keys: readonly string[]) => ({ limits: { maxItems: null, maxAmounts: recordOf(keys, () => 5) } }),
};

describe('the digest of a configuration', () => {
  it.each(Object.entries(ordered))('is another one exactly where the %s stand in another order', (_what, toolOf) => {
    fc.assert(
      fc.property(twoOrders, ([one, other]) => {
        const isSame = agentDigest(agentWith(toolOf(one))) === agentDigest(agentWith(toolOf(other)));
        expect(isSame).toBe(one.join() === other.join());
      }),
    );
  });

  it('does not depend on the order of anything else', () => {
    fc.assert(
      fc.property(twoOrders, ([one, other]) => {
        const [a, b] = [one, other].map((keys) =>
          agentDigest({
            ...recordOf(keys, (key) => key),
            tools: recordOf(keys, (name) => ({ name, mapping: { defaults: recordOf(keys, () => 1), map: {} } })),
            identity: { everywhere: recordOf(keys, () => ['context.a']), channels: {} },
          }),
        );
        expect(a).toBe(b);
      }),
    );
  });

  it('does not depend on the digest that the configuration carries, nor on what is left undefined', () => {
    const plain = agentDigest(agentWith({ parameters: {} }));
    expect(agentDigest(agentWith({ parameters: {}, limits: undefined }, { digest: 'f' }))).toBe(plain);
  });

  it('is another one with the schema of a tool pinned, whichever it is', () => {
    const digests = [{}, { schemaHash: 'one' }, { schemaHash: 'two' }].map((pinned) => agentDigest(agentWith(pinned)));
    expect(new Set(digests).size).toBe(3);
  });

  it('is the same after the configuration was written and read again', () => {
    fc.assert(
      fc.property(names, (keys) => {
        const agent = agentWith(ordered.parameters(keys));
        expect(agentDigest(JSON.parse(JSON.stringify(agent)))).toBe(agentDigest(agent));
      }),
    );
  });

  it('can be taken of anything that a file holds', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (any) => /^[0-9a-f]{64}$/.test(agentDigest(any))));
    fc.assert(fc.property(fc.jsonValue(), (tool) => agentDigest({ tools: { tool } }).length === 64));
  });
});
