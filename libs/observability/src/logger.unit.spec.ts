import { describe, expect, it } from '@jest/globals';
import { createLogger, type LogLevel } from './logger.ts';

const correlationFields = [
  'timestamp',
  'level',
  'service',
  'tenant_id',
  'agent_id',
  'conversation_key',
  'message_id',
  'transaction_id',
  'trace_id',
  'event',
];

function recordingLogger(level?: LogLevel) {
  const lines: string[] = [];
  const logger = createLogger({ service: 'ingress', level, destination: { write: (line) => lines.push(line) } });
  return { logger, lines, records: (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line)) };
}

describe('a logger', () => {
  it('writes one JSON object per line with the ten correlation fields, null where unknown', () => {
    const { logger, lines, records } = recordingLogger();
    logger.info('turn.accepted', { tenant_id: 'default', message_id: 'm-1' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    expect(Object.keys(records()[0] ?? {}).sort()).toEqual([...correlationFields].sort());
    expect(records()[0]).toMatchObject({
      level: 'info',
      service: 'ingress',
      event: 'turn.accepted',
      tenant_id: 'default',
      message_id: 'm-1',
      trace_id: null,
    });
  });

  it('writes the timestamp as a UTC instant in ISO-8601', () => {
    const { logger, records } = recordingLogger();
    logger.warn('x');
    expect(records()[0]?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('keeps to its level', () => {
    const { logger, records } = recordingLogger('warn');
    logger.debug('a');
    logger.info('b');
    logger.warn('c');
    logger.error('d');
    logger.fatal('e');
    expect(records().map((record) => record.event)).toEqual(['c', 'd', 'e']);
  });

  it('passes the fields of a child on, and lets a line override them', () => {
    const { logger, records } = recordingLogger();
    const child = logger.child({ tenant_id: 't1', trace_id: 'abc' }).child({ agent_id: 'a1' });
    child.info('x', { trace_id: 'def' });
    expect(records()[0]).toMatchObject({ tenant_id: 't1', agent_id: 'a1', trace_id: 'def' });
  });

  it('lets no field forge the service, the event, the level or the time', () => {
    const { logger, lines, records } = recordingLogger();
    logger.info('real', { service: 'other', event: 'forged', level: 'fatal', timestamp: 'never' });
    expect(records()[0]).toMatchObject({ service: 'ingress', event: 'real', level: 'info' });
    expect(lines[0]?.match(/"level"/g)).toHaveLength(1);
    expect(lines[0]?.match(/"timestamp"/g)).toHaveLength(1);
  });

  it('keeps a line one line, whatever a text holds', () => {
    const { logger, lines } = recordingLogger();
    logger.info('x', { message: 'a\n{"event":"forged"}\r\u2028' });
    expect(lines[0]?.trimEnd()).not.toMatch(/[\n\r]/);
  });

  it('writes an error with its message, stack and causes', () => {
    const { logger, records } = recordingLogger();
    logger.error('x', { error: new Error('outer', { cause: new TypeError('inner') }) });
    expect(records()[0]?.error).toMatchObject({
      name: 'Error',
      message: 'outer',
      stack: expect.stringContaining('logger.unit.spec'),
      cause: { name: 'TypeError', message: 'inner' },
    });
  });

  it('writes a cause once, although the error keeps it in a field too', () => {
    const { logger, records } = recordingLogger();
    const cause = new Error('connection refused');
    const error = Object.assign(new Error('no bus', { cause }), { options: { cause, retryAfterMs: 5 } });
    logger.error('x', { error });
    expect(records()[0]?.error).toMatchObject({
      cause: { message: 'connection refused' },
      options: { cause: '[the same error]', retryAfterMs: 5 },
    });
  });

  it('survives cycles, functions, big integers, symbols, getters and endless structures', () => {
    const { logger, records } = recordingLogger();
    const loop: Record<string, unknown> = { name: 'loop' };
    loop.self = loop;
    const deep = Array.from({ length: 500 }).reduce<unknown>((inner) => ({ inner }), 'end');
    const wide = Array.from({ length: 100_000 }, (_, index) => index);
    logger.info('x', {
      loop,
      deep,
      wide,
      f: () => 1,
      big: 10n,
      s: Symbol('s'),
      bytes: Buffer.from('abc'),
      none: undefined,
    });
    expect(records()[0]).toMatchObject({
      loop: { self: '[circular]' },
      f: '[function]',
      big: '10',
      bytes: '[3 bytes]',
    });
    expect(JSON.stringify(records()[0]).length).toBeLessThan(5_000);
  });

  it('never throws on a value that throws when it is read', () => {
    const { logger, records } = recordingLogger();
    const hostile = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    logger.info('x', { hostile });
    expect(records()[0]).toMatchObject({ event: 'x', service: 'ingress' });
  });

  it('cuts a text of a megabyte', () => {
    const { logger, lines } = recordingLogger();
    logger.info('x', { message: 'a'.repeat(1_000_000) });
    expect(lines[0]?.length).toBeLessThan(5_000);
    expect(lines[0]).toContain('more characters');
  });
});
