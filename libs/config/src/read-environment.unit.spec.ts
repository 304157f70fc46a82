import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { childEnvironment, readEnvironment } from './read-environment.ts';
import { commonSettings, databaseSettings, portSetting, serverSettings } from './settings.ts';

const serviceSettings = commonSettings.extend({ LATCH_HTTP_PORT: portSetting(9001), ...databaseSettings.shape });
const complete = { KAFKA_BROKERS: '127.0.0.1:9092', DATABASE_URL: 'postgres://latch@127.0.0.1/latch' };

describe('an environment that says only what it must', () => {
  it('fills in every default', () => {
    const read = readEnvironment(serviceSettings, complete);
    expect(read).toEqual({
      ok: true,
      value: {
        LATCH_HTTP_HOST: '127.0.0.1',
        LATCH_HTTP_PORT: 9001,
        LATCH_LOG_LEVEL: 'info',
        LATCH_PERSONAL_DATA: 'sealed',
        LATCH_BUS: 'kafka',
        LATCH_BUS_UNSIGNED: 'refuse',
        KAFKA_BROKERS: ['127.0.0.1:9092'],
        KAFKA_SSL: 'off',
        LATCH_TOPIC_PREFIX: '',
        LATCH_TOPIC_PARTITIONS: 4,
        LATCH_CONFIG_DIR: 'deploy/config',
        DATABASE_URL: 'postgres://latch@127.0.0.1/latch',
      },
    });
  });

  it('gives frozen settings', () => {
    const read = readEnvironment(serviceSettings, complete);
    expect(read.ok && Object.isFrozen(read.value)).toBe(true);
  });

  it('treats an empty or blank variable as not set', () => {
    const read = readEnvironment(serviceSettings, { ...complete, LATCH_HTTP_PORT: '', LATCH_CONFIG_DIR: '  ' });
    expect(read).toMatchObject({ value: { LATCH_HTTP_PORT: 9001, LATCH_CONFIG_DIR: 'deploy/config' } });
  });

  it('splits a list at commas and drops blanks', () => {
    const read = readEnvironment(commonSettings, { KAFKA_BROKERS: ' a:9092 , b:9093,, ' });
    expect(read).toMatchObject({ value: { KAFKA_BROKERS: ['a:9092', 'b:9093'] } });
  });

  it('needs no broker on the memory bus', () => {
    expect(readEnvironment(commonSettings, { LATCH_BUS: 'memory' }).ok).toBe(true);
  });

  it('keeps variables of others out', () => {
    const read = readEnvironment(serverSettings, { ...complete, HOME: '/root' });
    expect(read.ok && Object.keys(read.value)).toEqual(['LATCH_HTTP_HOST', 'LATCH_LOG_LEVEL']);
  });
});

describe('an environment with several mistakes', () => {
  const read = readEnvironment(serviceSettings, {
    LATCH_HTTP_PORT: '70000',
    LATCH_LOG_LEVEL: 'verbose',
    LATCH_TOPIC_PARTITIONS: 'four',
    DATABASE_URL: 'mysql://root:hunter2@db/latch',
  });
  const message = read.ok ? '' : read.error;

  it('names all of them in one message, each with its variable, its value and what to do', () => {
    expect(message).toMatch(/^5 settings are wrong\./);
    expect(message).toMatch(/LATCH_HTTP_PORT is "70000": it must be a whole number from 0 to 65535\./);
    expect(message).toMatch(/LATCH_LOG_LEVEL is "verbose": it must be one of trace, debug/);
    expect(message).toMatch(
      /LATCH_TOPIC_PARTITIONS is "four": it must be a whole number from 1 to 1000\..*Partitions of a topic/,
    );
    expect(message).toMatch(/KAFKA_BROKERS is not set: it must name at least one broker as host:port/);
  });

  it('never repeats a value that may hold a secret', () => {
    expect(message).toMatch(/DATABASE_URL has a wrong value: it must start with postgres:\/\//);
    expect(message).not.toContain('hunter2');
  });

  it('says what a missing required variable is for', () => {
    const missing = readEnvironment(z.object(databaseSettings.shape), {});
    expect(missing).toMatchObject({
      error: expect.stringMatching(/One setting is wrong.*\n.*DATABASE_URL is not set: .*\(Postgres database/),
    });
  });

  it('refuses a broker without a port', () => {
    expect(readEnvironment(commonSettings, { KAFKA_BROKERS: 'localhost' }).ok).toBe(false);
  });

  it('refuses a fraction, an infinite and a negative number', () => {
    for (const value of ['1.5', 'Infinity', '-1', '0x']) {
      expect(readEnvironment(commonSettings, { ...complete, LATCH_TOPIC_PARTITIONS: value }).ok).toBe(false);
    }
  });
});

describe('the environment of a child process', () => {
  it('is ours with the overrides on top', () => {
    expect(childEnvironment({ B: '3', C: '4' }, { A: '1', B: '2' })).toEqual({ A: '1', B: '3', C: '4' });
  });

  it('leaves out what an override takes away', () => {
    expect(childEnvironment({ A: undefined }, { A: '1', B: '2' })).toEqual({ B: '2' });
  });

  it('starts from the environment of this process', () => {
    expect(childEnvironment()).toMatchObject({ PATH: process.env['PATH'] });
  });
});
