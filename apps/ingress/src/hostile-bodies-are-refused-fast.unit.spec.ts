import { describe, expect, it } from '@jest/globals';
import { processorMs } from '@latch/testing';
import { parseStrictJson } from './strict-json.ts';
import { message } from './test-ingress.features.ts';
import { readTurn } from './turn.ts';

const limitMs = 50;

/** A valid message with one more field in its context, as text. */
const withContext = (json: string): string =>
  JSON.stringify(message({ payload: { context: 'HERE' } })).replace('"HERE"', json);

const hostile: readonly (readonly [string, string])[] = [
  ['__proto__', withContext('{"__proto__":{"isAdmin":true}}')],
  ['an escaped __proto__', withContext('{"\\u005f_proto__":{"isAdmin":true}}')],
  ['constructor', withContext('{"constructor":{"prototype":{"isAdmin":true}}}')],
  ['10,000 levels', withContext('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000))],
  ['10,000 fields', withContext(`{${Array.from({ length: 10_000 }, (_, n) => `"f${n}":${n}`).join(',')}}`)],
  ['NaN', withContext('NaN')],
  ['Infinity', withContext('-Infinity')],
  ['a number beyond JSON', withContext('1e999')],
  ['a whole number that would be rounded', withContext('123456789012345678901234567890')],
  ['a lone surrogate', withContext('{"a":"\\ud800"}')],
  ['a name given twice', withContext('{"a":1,"a":2}')],
  ['250 KB of brackets', withContext('['.repeat(250_000))],
  ['250 KB of escapes', withContext(`"${'\\ud800'.repeat(40_000)}"`)],
];

describe('a body with', () => {
  it.each(hostile)('%s is refused with a reason, in under 50 ms, and pollutes no object', (_, text) => {
    const refused = parseStrictJson(text);
    expect(refused.ok).toBe(false);
    if (!refused.ok && refused.error.kind === 'refused') expect(refused.error.problems[0]?.message).toMatch(/\w+/);
    expect(processorMs(() => parseStrictJson(text))).toBeLessThan(limitMs);
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
  });

  it.each([
    ['10,000 fields', Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, n]))],
    ['a message of 250 KB', message({ payload: { message: 'a'.repeat(250_000) } })],
    ['a session id of 250 KB', message({ payload: { session_id: 'a'.repeat(250_000) } })],
  ])('%s, past the JSON, is refused by the contract as fast', (_, body) => {
    const caller = { principal: { tenantId: null, userId: null }, contractHeader: undefined };
    const config = { agents: {}, defaultAgentId: null, defaultTenantId: 'default' };
    expect(readTurn(body, caller, config).ok).toBe(false);
    expect(processorMs(() => readTurn(body, caller, config))).toBeLessThan(limitMs);
  });
});
