import { describe, expect, it } from '@jest/globals';
import { type OpenAlarm } from '@latch/event-store';
import { type ReceivedEnvelope } from '@latch/messaging';
import { Alarms } from './alarms.ts';
import { silent } from './executor-fixture.features.ts';

/** What Postgres does with open alarms, in memory: one per condition and subject, over all executors. */
class Shelf {
  readonly alarms = new Map<string, OpenAlarm>();
  readonly left: OpenAlarm[] = [];

  open(alarm: OpenAlarm): Promise<boolean> {
    const key = `${alarm.condition} ${alarm.subject}`;
    if (this.alarms.has(key)) return Promise.resolve(false);
    this.alarms.set(key, alarm);
    return Promise.resolve(true);
  }

  close(condition: string, subject: string): Promise<OpenAlarm | undefined> {
    const alarm = this.alarms.get(`${condition} ${subject}`);
    this.alarms.delete(`${condition} ${subject}`);
    return Promise.resolve(alarm);
  }

  renew(): Promise<readonly OpenAlarm[]> {
    return Promise.resolve(this.left.splice(0));
  }
}

function executor(shelf: Shelf): { alarms: Alarms; told: ReceivedEnvelope[]; asked: string[] } {
  const told: ReceivedEnvelope[] = [];
  const asked: string[] = [];
  const alarms = new Alarms({
    store: shelf,
    lease: { owner: 'executor', leaseMs: 1_000 },
    now: () => '2026-11-30T12:00:00.000Z',
    emit: (signals) => told.push(...signals),
    logger: silent,
    lookInto: ({ subject }) => asked.push(subject),
  });
  return { alarms, told, asked };
}

const idOf = ({ payload }: ReceivedEnvelope): unknown => Reflect.get(Object(payload['alarm']), 'alarm_id');

describe('an alarm', () => {
  it('is raised once and cleared once under the same id, over all executors', async () => {
    const shelf = new Shelf();
    const [one, other] = [executor(shelf), executor(shelf)];
    for (const { alarms } of [one, other]) {
      alarms.circuitChanged('contas', 'open');
      await alarms.settled();
    }
    for (const { alarms } of [one, other]) {
      alarms.circuitChanged('contas', 'half_open');
      alarms.circuitChanged('contas', 'closed');
      await alarms.settled();
    }
    const told = [...one.told, ...other.told];
    expect(told.map(({ event_type }) => event_type)).toEqual(['NOC.MCP_SERVER_DOWN', 'NOC.MCP_SERVER_UP']);
    expect(new Set(told.map(idOf)).size).toBe(1);
  });

  it('of an executor that is gone is taken over: its server is asked, and an answer clears it', async () => {
    const shelf = new Shelf();
    const dead = executor(shelf);
    dead.alarms.circuitChanged('contas', 'open');
    await dead.alarms.settled();
    shelf.left.push(...shelf.alarms.values());
    const successor = executor(shelf);
    await successor.alarms.renew();
    expect(successor.asked).toEqual(['contas']);
    successor.alarms.answered('contas');
    await successor.alarms.settled();
    expect(successor.told.map(({ event_type }) => event_type)).toEqual(['NOC.MCP_SERVER_UP']);
    expect(successor.told.map(idOf)).toEqual(dead.told.map(idOf));
    expect(shelf.alarms.size).toBe(0);
  });

  it('is not cleared by a straggler while the own breaker is open', async () => {
    const shelf = new Shelf();
    const { alarms, told } = executor(shelf);
    alarms.circuitChanged('contas', 'open');
    alarms.answered('contas');
    await alarms.settled();
    expect(told).toHaveLength(1);
  });

  it('of a tool names server and tool, and is withdrawn when nobody configures it any more', async () => {
    const shelf = new Shelf();
    const { alarms, told } = executor(shelf);
    alarms.schemaPending('contas', 'cancelar', { observed_hash: 'b', accepted_hash: 'a' });
    await alarms.settled();
    const [open] = [...shelf.alarms.values()];
    if (open !== undefined) alarms.withdraw(open);
    await alarms.settled();
    expect(told.map(({ severity, payload }) => [severity, payload['server'], payload['tool_name']])).toEqual([
      ['major', 'contas', 'cancelar'],
      ['cleared', 'contas', 'cancelar'],
    ]);
  });
});
