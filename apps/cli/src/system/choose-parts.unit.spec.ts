import { describe, expect, it } from '@jest/globals';
import { type BusFacts, chooseBus } from './choose-parts.ts';

const yes = { ok: true, reason: 'Java 17 and Maven' };
const no = { ok: false, reason: 'Java is not installed: install it.' };
const facts = (more: Partial<BusFacts>): BusFacts => ({ brokers: [], wanted: 'auto', local: no, docker: no, ...more });

describe('choosing the bus', () => {
  it('takes the named brokers, whatever else there is', () => {
    const chosen = chooseBus(facts({ brokers: ['10.0.0.1:9092'], wanted: 'memory', local: yes, docker: yes }));
    expect(chosen).toEqual({
      ok: true,
      value: { kind: 'given', brokers: ['10.0.0.1:9092'], why: 'KAFKA_BROKERS names it' },
    });
  });

  it('takes the first that works of a local Kafka, Docker and memory, and says why', () => {
    expect(chooseBus(facts({ local: yes, docker: yes }))).toMatchObject({
      value: { kind: 'local', why: expect.stringContaining('Java 17 and Maven') },
    });
    expect(chooseBus(facts({ docker: { ok: true, reason: 'Docker 28 answers' } }))).toMatchObject({
      value: { kind: 'docker', why: expect.stringContaining('Docker 28 answers') },
    });
    expect(chooseBus(facts({}))).toMatchObject({ value: { kind: 'memory', why: expect.stringContaining(no.reason) } });
  });

  it('starts none where TLS or a login is set for brokers that nobody names', () => {
    expect(chooseBus(facts({ isSecured: true, local: yes }))).toMatchObject({
      error: expect.stringContaining('Name the brokers that they are for'),
    });
    expect(chooseBus(facts({ isSecured: true, brokers: ['kafka.bank:9093'] }))).toMatchObject({
      value: { kind: 'given' },
    });
  });

  it('never takes another part than the one that was asked for', () => {
    expect(chooseBus(facts({ wanted: 'local', docker: yes }))).toEqual({
      ok: false,
      error: `LATCH_KAFKA=local: ${no.reason}`,
    });
    expect(chooseBus(facts({ wanted: 'docker', local: yes, docker: yes }))).toMatchObject({
      value: { kind: 'docker' },
    });
    expect(chooseBus(facts({ wanted: 'memory', local: yes }))).toMatchObject({ value: { kind: 'memory' } });
  });
});
