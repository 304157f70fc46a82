import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { currentMajorOf, readContractVersion } from './contract-version.ts';
import { isFlatRequest, nestFlatRequest } from './nest-flat-request.ts';
import { upcast } from './upcast.ts';

describe('a contract version', () => {
  it.each([
    ['gateway-request-v1', 'gateway-request', 1],
    ['gateway-request-v1.4', 'gateway-request', 1],
    [' tool-result-v12.0.3 ', 'tool-result', 12],
    ['v2', null, 2],
    ['1', null, 1],
    ['1.0.0', null, 1],
  ])('%j is read', (text, contract, major) => {
    expect(readContractVersion(text)).toEqual({ contract, major });
  });

  it.each(['', 'latest', 'gateway-request', 'gateway-request-v1x', '2026-06', 'v1.2.3.4', 'v'])(
    '%j names no version',
    (text) => {
      expect(readContractVersion(text)).toBeUndefined();
    },
  );

  it('is current at major 1 for every published contract', () => {
    expect(currentMajorOf('gateway-request')).toBe(1);
    expect(currentMajorOf('nobody-knows')).toBeUndefined();
  });
});

describe('bringing a message to the current major', () => {
  const message = { channel: 'web', payload: { message: 'oi', session_id: 's', message_id: 'm' } };

  it('leaves the current one as it is, the same object', () => {
    const upgraded = upcast({ contract: 'gateway-request', major: 1, message });
    expect(upgraded.ok && upgraded.value).toBe(message);
  });

  it('leads from what the ancestor sent to version 1', () => {
    const flat = { channel: 'web', text: 'oi', session_id: 's', message_id: 'm', x: 1 };
    expect(upcast({ contract: 'gateway-request', major: 0, message: flat })).toEqual({
      ok: true,
      value: { channel: 'web', payload: { message: 'oi', session_id: 's', message_id: 'm', x: 1 } },
    });
  });

  it.each([
    ['a newer major', 'gateway-request', 2],
    ['an older one without a step', 'tool-result', 0],
    ['a newer major of a contract that it does not know', 'nobody-knows', 2],
  ])('refuses %s with a reason', (_, contract, major) => {
    expect(upcast({ contract, major, message })).toEqual({
      ok: false,
      error: expect.stringContaining(`major ${major}`),
    });
  });
});

describe('the flat request of the ancestor', () => {
  it.each([null, 'text', 7, [], {}, { payload: {}, message: 'oi' }, { channel: 'web' }])('is not %j', (body) => {
    expect(isFlatRequest(body)).toBe(false);
  });

  it('loses no field and invents none, whatever it holds', () => {
    const name = fc.constantFrom('channel', 'text', 'session_id', 'message_id', 'metadata', 'customer_key', 'x_a', 'x_b');
    fc.assert(
      fc.property(fc.dictionary(name, fc.string({ minLength: 1 })), (flat) => {
        expect([...leavesOf(nestFlatRequest(flat))].sort()).toEqual(Object.values(flat).sort());
      }),
    );
  });
});

function leavesOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}
