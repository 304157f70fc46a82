import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from './logger.ts';
import { runService, type RunningService, type ServiceProcess } from './run-service.ts';

/** A process that only notes how it would end. */
function fakeHost() {
  const listeners = new Map<string, (value: unknown) => void>();
  const exits: number[] = [];
  return {
    exits,
    host: {
      on: (event: string, listener: (value: unknown) => void) => listeners.set(event, listener),
      exit: (code: number) => void exits.push(code),
    },
    emit: (event: string, value?: unknown) => listeners.get(event)?.(value),
  };
}

function harness(start: (service: ServiceProcess) => Promise<RunningService>) {
  const fake = fakeHost();
  const lines: string[] = [];
  const logger = createLogger({ service: 'x', destination: { write: (line) => lines.push(line) } });
  const done = runService({ name: 'x', start, logger, host: fake.host, drainTimeoutMs: 1_000 });
  return { ...fake, done, events: (): unknown[] => lines.map((line) => JSON.parse(line).event) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a running service', () => {
  afterEach(() => void jest.useRealTimers());

  it.each(['SIGTERM', 'SIGINT'])('stops once on %s and ends with code 0', async (signal) => {
    const stop = jest.fn(() => Promise.resolve());
    const { done, emit, exits, events } = harness(() => Promise.resolve({ url: 'http://x', stop }));
    await done;
    emit(signal);
    await settled();
    expect(stop).toHaveBeenCalledTimes(1);
    expect(exits).toEqual([0]);
    expect(events()).toEqual(['service.started', 'service.stopping', 'service.stopped']);
  });

  it('ends at once with code 1 on a second signal', async () => {
    const stop = jest.fn(() => new Promise<void>(() => undefined));
    const { done, emit, exits } = harness(() => Promise.resolve({ url: '', stop }));
    await done;
    emit('SIGTERM');
    expect(exits).toEqual([]);
    emit('SIGINT');
    expect(stop).toHaveBeenCalledTimes(1);
    expect(exits).toEqual([1]);
  });

  it('ends with code 1 when the drain takes too long', async () => {
    jest.useFakeTimers();
    const { done, emit, exits, events } = harness(() =>
      Promise.resolve({ url: '', stop: () => new Promise(() => undefined) }),
    );
    await done;
    emit('SIGTERM');
    jest.advanceTimersByTime(999);
    expect(exits).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(exits).toEqual([1]);
    expect(events()).toContain('service.drain_timeout');
  });

  it('ends with code 1 when the start fails, and says why', async () => {
    const { done, exits, events } = harness(() => Promise.reject(new Error('no broker')));
    await done;
    expect(exits).toEqual([1]);
    expect(events()).toEqual(['service.start_failed']);
  });

  it('stops a service that is told to stop while it starts', async () => {
    let finishStart = (_: RunningService): void => undefined;
    const stop = jest.fn(() => Promise.resolve());
    const { done, emit, exits } = harness(() => new Promise((resolve) => (finishStart = resolve)));
    emit('SIGTERM');
    expect(exits).toEqual([]);
    finishStart({ url: '', stop });
    await done;
    await settled();
    expect(stop).toHaveBeenCalledTimes(1);
    expect(exits).toEqual([0]);
  });

  it.each(['unhandledRejection', 'uncaughtException'])('ends with code 1 on an %s', async (event) => {
    const { done, emit, exits } = harness(() => Promise.resolve({ url: '', stop: () => Promise.resolve() }));
    await done;
    emit(event, new Error('bug'));
    expect(exits).toEqual([1]);
  });

  it('ends with code 1 when a consumer dies', async () => {
    let fatal = (_: unknown): void => undefined;
    const { done, exits, events } = harness((service) => {
      fatal = service.fatal;
      return Promise.resolve({ url: '', stop: () => Promise.resolve() });
    });
    await done;
    fatal(new Error('consumer crashed'));
    fatal(new Error('again'));
    expect(exits).toEqual([1]);
    expect(events()).toContain('service.fatal');
  });

  it('ends with code 1 when stopping fails', async () => {
    const { done, emit, exits } = harness(() =>
      Promise.resolve({ url: '', stop: () => Promise.reject(new Error('x')) }),
    );
    await done;
    emit('SIGTERM');
    await settled();
    expect(exits).toEqual([1]);
  });
});
