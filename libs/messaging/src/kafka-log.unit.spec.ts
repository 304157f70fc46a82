import { describe, expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';
import { recordingLogger } from './fixtures/messages.ts';
import { kafkaLogCreator } from './kafka-log.ts';

const { logLevel } = kafkajs;

describe('the log of kafkajs', () => {
  const levelOf = (level: number, message: string, error?: string): string => {
    const logger = recordingLogger();
    const log = { message, timestamp: '', logger: 'kafkajs', ...(error === undefined ? {} : { error }) };
    kafkaLogCreator(logger)(level)({ namespace: 'Connection', level, label: '', log });
    return logger.lines[0]?.level ?? 'nothing';
  };

  it.each([
    ['Response GroupCoordinator(key: 10, version: 2)', 'The group coordinator is not available'],
    ['Response OffsetFetch(key: 9, version: 5)', "The coordinator is loading and hence can't process requests"],
    ['Response Heartbeat(key: 12, version: 3)', 'The group is rebalancing, so a rejoin is needed'],
    ['Connection error: connect ECONNREFUSED 127.0.0.1:9092', undefined],
    ['Crash: KafkaJSNoBrokerAvailableError: No broker available', undefined],
    ['The coordinator is not aware of this member, re-joining the group', undefined],
  ])('reports normal life of a group as debug: %s %s', (message, error) => {
    expect(levelOf(logLevel.ERROR, message, error)).toBe('debug');
  });

  it('reports the rest at its own level, and its chatter below', () => {
    expect(levelOf(logLevel.ERROR, 'Topic authorization failed')).toBe('error');
    expect(levelOf(logLevel.WARN, 'Something odd')).toBe('warn');
    expect(levelOf(logLevel.INFO, 'Consumer has joined the group')).toBe('debug');
  });

  it('does not take it for a connection that broke when one side does not trust the other', () => {
    expect(levelOf(logLevel.ERROR, 'Connection error: self-signed certificate in certificate chain')).toBe('error');
    expect(levelOf(logLevel.ERROR, "Connection error: Hostname/IP does not match certificate's altnames")).toBe(
      'error',
    );
  });
});
