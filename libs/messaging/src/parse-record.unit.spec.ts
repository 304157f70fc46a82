import { describe, expect, it } from '@jest/globals';
import { topics } from '@latch/contracts';
import { processorMs } from '@latch/testing';
import { recordOf, signal } from './fixtures/messages.ts';
import { parseRecord } from './parse-record.ts';
import { payloadSchemas } from './payload-schemas.ts';

const parse = (value: string | Buffer, more = {}): ReturnType<typeof parseRecord> =>
  parseRecord(recordOf(value, more), payloadSchemas);
const turn = {
  event_type: 'IC.GATEWAY_RECEIVED',
  timestamp: '2026-06-19T12:00:00Z',
  tenant_id: 'acme',
  agent_id: 'retail_orders',
  session_id: 's1',
  trace_id: 't1',
  payload: { channel: 'web', payload: { message: 'oi', session_id: 's1', message_id: 'm1' } },
};

describe('a record', () => {
  it('is read into its envelope and the payload of its topic, unknown fields kept', () => {
    const parsed = parse(JSON.stringify({ ...turn, later: 1, payload: { ...turn.payload, also: [2] } }), {
      topic: topics.turns,
    });
    expect(parsed).toMatchObject({
      ok: true,
      value: { envelope: { later: 1, tenant_id: 'acme' }, payload: { channel: 'web', also: [2] } },
    });
  });

  it('has an event id and a conversation key even when its producer gave none, the same at each delivery', () => {
    const [once, again] = [1, 2].map(() => parse(JSON.stringify(turn), { topic: topics.turns, offset: '7' }));
    const elsewhere = parse(JSON.stringify(turn), { topic: topics.turns, offset: '8' });
    expect(once).toEqual(again);
    const idOf = (parsed: typeof elsewhere): string => (parsed.ok ? parsed.value.envelope.event_id : '');
    expect(idOf(elsewhere)).not.toBe(idOf(again ?? elsewhere));
    expect(once).toMatchObject({ value: { envelope: { conversation_key: 'acme:retail_orders:s1' } } });
  });

  it('is unparsable when it is not JSON', () => {
    expect(parse('not json')).toMatchObject({ ok: false, error: { code: 'message.unparsable' } });
    expect(parse(Buffer.alloc(0))).toMatchObject({ ok: false, error: { code: 'message.unparsable' } });
  });

  it('is invalid when a required field of the envelope is missing, and says which', () => {
    const { trace_id: _, ...rest } = turn;
    const parsed = parse(JSON.stringify(rest), { topic: topics.turns });
    expect(parsed).toMatchObject({ ok: false, error: { code: 'message.invalid' } });
    expect(JSON.stringify(parsed)).toContain('$.trace_id');
  });

  it('is invalid when its topic does not carry its event type, however good its payload is', () => {
    for (const event_type of ['IC.NOPE', 'IC.TOOL_EXECUTED']) {
      const parsed = parse(JSON.stringify({ ...turn, event_type }), { topic: topics.turns });
      expect(parsed).toMatchObject({ ok: false, error: { code: 'message.invalid' } });
      expect(JSON.stringify(parsed)).toContain('latch.turns.v1 carries IC.GATEWAY_RECEIVED only');
    }
  });

  it('may be a signal of a type that nobody here knows', () => {
    expect(parse(JSON.stringify({ ...signal('s1', 1), event_type: 'NOC.OF_TOMORROW' }))).toMatchObject({
      ok: true,
    });
  });

  it('is invalid when its payload is not the contract of its topic', () => {
    const parsed = parse(JSON.stringify({ ...turn, event_type: 'IC.TOOL_COMPLETED' }), { topic: topics.toolResults });
    expect(parsed).toMatchObject({ ok: false, error: { code: 'message.invalid' } });
    expect(JSON.stringify(parsed)).toContain('the payload breaks its contract');
  });

  it('is invalid when it is larger than 1 MiB, without being read', () => {
    expect(parse(Buffer.alloc(1_048_577, '['))).toMatchObject({ ok: false, error: { code: 'message.invalid' } });
  });

  it('is refused with an unknown major version, and accepted with one that is not written as a version', () => {
    const versioned = (version: string): unknown =>
      parse(JSON.stringify({ ...turn, contract_version: version }), { topic: topics.turns });
    expect(versioned('gateway-request-v2')).toMatchObject({
      ok: false,
      error: { code: 'contract.unsupported_version' },
    });
    expect(versioned('gateway-request-v0')).toMatchObject({
      ok: false,
      error: { code: 'contract.unsupported_version' },
    });
    expect(versioned('gateway-request-v1')).toMatchObject({ ok: true });
    expect(versioned('gateway-request-v1.3')).toMatchObject({ ok: true });
    expect(versioned('2026-06')).toMatchObject({ ok: true });
  });

  it('repeats no value of the message in the reason', () => {
    const parsed = parse(JSON.stringify({ ...turn, timestamp: '123.456.789-09' }), { topic: topics.turns });
    expect(JSON.stringify(parsed)).not.toContain('123.456');
  });

  it('costs little: a plain envelope is read in under a millisecond', () => {
    const record = recordOf(JSON.stringify(signal('s1', 1)));
    const readAThousand = (): void => {
      for (let n = 0; n < 1_000; n += 1) parseRecord(record, payloadSchemas);
    };
    expect(processorMs(readAThousand)).toBeLessThan(1_000);
  });
});
