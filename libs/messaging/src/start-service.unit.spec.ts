import { describe, expect, it, jest } from '@jest/globals';
import { recordingLogger } from './fixtures/messages.ts';
import { MemoryBus } from './memory-bus.ts';
import { type ServiceGround, startService } from './start-service.ts';

const settings = {
  LATCH_LOG_LEVEL: 'silent',
  LATCH_BUS: 'memory',
  KAFKA_BROKERS: [],
  LATCH_TOPIC_PREFIX: '',
  LATCH_TOPIC_PARTITIONS: 1,
  LATCH_PERSONAL_DATA: 'clear',
} as const;

const logger = recordingLogger();

/** A port that notes what happens to it. */
function serverIn(diary: string[]): { url: string; refuseNew(): void; close(): Promise<void> } {
  return {
    url: 'http://here',
    refuseNew: () => void diary.push('refuses'),
    close: () => Promise.resolve(void diary.push('closes')),
  };
}

const noting = (diary: string[], word: string) => (): Promise<void> => Promise.resolve(void diary.push(word));

describe('a service that starts', () => {
  it('stands on the bus, and its readiness knows of it', async () => {
    const bus = new MemoryBus({ partitions: 1, logger });
    let ground: ServiceGround | undefined;
    const service = await startService({ service: 'spec', settings, parts: { bus, logger } }, (given) => {
      ground = given;
      return Promise.resolve({ server: serverIn([]) });
    });
    expect(service.url).toBe('http://here');
    expect(ground?.operations.health.report()).toEqual({ status: 'ready', components: { bus: { ok: true } } });
    await bus.close();
    expect(ground?.operations.health.report()).toEqual({
      status: 'not_ready',
      components: { bus: { ok: false, detail: 'the bus does not answer' } },
    });
    await service.stop();
  });

  it('says in its readiness why the bus refuses it, where the bus does', async () => {
    const bus = new MemoryBus({ partitions: 1, logger });
    const refusing = Object.assign(Object.create(bus), { isHealthy: () => false, trouble: () => 'it lacks a right' });
    let ground: ServiceGround | undefined;
    const service = await startService({ service: 'spec', settings, parts: { bus: refusing, logger } }, (given) => {
      ground = given;
      return Promise.resolve({ server: serverIn([]) });
    });
    expect(ground?.operations.health.report()).toMatchObject({
      components: { bus: { ok: false, detail: 'it lacks a right' } },
    });
    await service.stop();
    await bus.close();
  });

  it('lets go of everything when it fails half-way, the last first, and says why it failed', async () => {
    const closed = jest.spyOn(MemoryBus.prototype, 'close');
    const diary: string[] = [];
    const build = ({ keep, watch }: ServiceGround): Promise<never> => {
      keep(noting(diary, 'first'));
      keep(() => Promise.reject(new Error('cannot be closed')));
      watch('store', () => Promise.resolve());
      keep(noting(diary, 'last'));
      return Promise.reject(new Error('the port is taken'));
    };
    const starting = startService({ service: 'spec', settings, parts: { logger } }, build);
    await expect(starting).rejects.toThrow('the port is taken');
    expect(diary).toEqual(['last', 'first']);
    expect(closed).toHaveBeenCalledTimes(1);
    closed.mockRestore();
  });

  it('leaves a bus open that is not its own', async () => {
    const bus = new MemoryBus({ partitions: 1, logger });
    const build = (): Promise<never> => Promise.reject(new Error('no'));
    await expect(startService({ service: 'spec', settings, parts: { bus, logger } }, build)).rejects.toThrow('no');
    expect(bus.isHealthy()).toBe(true);
    await bus.close();
  });
});

describe('a service that stops', () => {
  it('refuses, drains, closes its port, and lets go, in this order', async () => {
    const diary: string[] = [];
    const service = await startService({ service: 'spec', settings, parts: { logger } }, ({ keep }) => {
      keep(noting(diary, 'store'));
      keep(noting(diary, 'consumer'));
      return Promise.resolve({ server: serverIn(diary), drain: noting(diary, 'drains') });
    });
    await service.stop();
    expect(diary).toEqual(['refuses', 'drains', 'closes', 'consumer', 'store']);
  });

  it('lets go also when the drain fails, and says so', async () => {
    const diary: string[] = [];
    const service = await startService({ service: 'spec', settings, parts: { logger } }, ({ keep }) => {
      keep(noting(diary, 'store'));
      return Promise.resolve({ server: serverIn(diary), drain: () => Promise.reject(new Error('drain')) });
    });
    await expect(service.stop()).rejects.toThrow('drain');
    expect(diary).toEqual(['refuses', 'store']);
  });
});
