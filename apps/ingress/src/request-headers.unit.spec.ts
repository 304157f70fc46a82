import { describe, expect, it } from '@jest/globals';
import { checkContractVersion } from './contract-version.ts';
import { traceContextOf } from '@latch/observability';
import { waitSecondsOf } from './wait-preference.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('the traceparent header', () => {
  it.each([
    ['as published', `00-${traceId}-${spanId}-01`],
    ['with spaces around', ` 00-${traceId}-${spanId}-00 `],
    ['of a later version with more fields', `01-${traceId}-${spanId}-01-what-comes-later`],
  ])('%s is continued with a span of our own', (_, header) => {
    const context = traceContextOf(header);
    expect(context.traceId).toBe(traceId);
    expect(context.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-0[01]$`));
    expect(context.traceparent).not.toContain(spanId);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['of the forbidden version', `ff-${traceId}-${spanId}-01`],
    ['of version 00 with more fields', `00-${traceId}-${spanId}-01-x`],
    ['with a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['with a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['in upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['too long', `00-${traceId}${traceId}-${spanId}-01`],
  ])('%s begins a new trace', (_, header) => {
    const context = traceContextOf(header);
    expect(context.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    expect(context.traceId).not.toBe(traceId);
    expect(context.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });
});

describe('the Prefer header', () => {
  it.each([
    [undefined, 30],
    ['', 30],
    ['wait=10', 10],
    ['wait=0', 0],
    ['wait=120', 120],
    ['wait=999', 120],
    ['WAIT=7', 7],
    ['wait="5"', 5],
    ['respond-async', 0],
    ['respond-async, wait=10', 10],
    ['return=minimal; foo="x", wait = 4', 4],
    ['wait=-1', 30],
    ['wait=abc', 30],
    ['wait', 30],
    ['await=3', 30],
    ['wait=99999999999999999999', 30],
    [['respond-async', 'wait=3'], 3],
  ])('%j waits %d seconds', (header, seconds) => {
    expect(waitSecondsOf(header, 30)).toBe(seconds);
  });
});

describe('a named contract version', () => {
  it.each([undefined, 'gateway-request-v1', 'gateway-request-v1.4', 'v1', '1', '1.0', '1.0.0'])(
    '%s is spoken here',
    (version) => {
      expect(checkContractVersion(version, { contract_version: version }).ok).toBe(true);
    },
  );

  it.each(['gateway-request-v2', 'v0', '2.0', '', 'latest', 'tool-result-v1', 'gateway-request-v1x'])(
    '%j is refused',
    (version) => {
      expect(checkContractVersion(version, undefined)).toMatchObject({
        ok: false,
        error: { status: 422, code: 'contract.unsupported_version' },
      });
      expect(checkContractVersion(undefined, { contract_version: version }).ok).toBe(false);
    },
  );
});
