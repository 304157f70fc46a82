import { deterministicId } from '@latch/contracts';
import { type Lease, type OpenAlarm, type OpenAlarms } from '@latch/event-store';
import { type CircuitState } from '@latch/mcp';
import { type ReceivedEnvelope } from '@latch/messaging';
import { type Logger } from '@latch/observability';
import { type AlarmCondition, conditionOf, conditions } from './alarm-conditions.ts';
import { serverSignal } from './envelopes.ts';

/** What alarms take. */
export type AlarmParts = {
  readonly store: Pick<OpenAlarms, 'open' | 'close' | 'renew'>;
  readonly lease: Lease;
  readonly now: () => string;
  readonly emit: (signals: readonly ReceivedEnvelope[]) => void;
  readonly logger: Logger;
  /** Finds out how it stands with an alarm that was taken over: it is cleared by what `answered` and `schemaSettled` are told then, or by `withdraw`. */
  readonly lookInto: (alarm: OpenAlarm) => void;
};

/**
 * The alarms about servers and their tools: raised once and cleared once under the same `alarm_id`, over all executors (DESIGN section 3). What is open stands in
 * Postgres, so that an alarm of an executor that is gone is cleared by its successor: it takes it over, asks the server, and clears it on an answer.
 */
export class Alarms {
  /** What is open as far as this executor knows; it saves asking the database at every answer of a healthy server. */
  private readonly known = new Set<string>();
  private readonly openCircuits = new Set<string>();
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly parts: AlarmParts) {}

  /** A call passed its deadline. `facts` are told with it. */
  timedOut(server: string, facts: Readonly<Record<string, unknown>>): void {
    this.raise(conditions.timeout, server, { server, ...facts });
  }

  /** The server answered a call or a listing. While the own breaker is open, only its probe says that the server is back. */
  answered(server: string): void {
    this.clear(conditions.timeout, server);
    if (!this.openCircuits.has(server)) this.clear(conditions.down, server);
  }

  /** The breaker of a server changed. A probe changes nothing yet. */
  circuitChanged(server: string, state: CircuitState): void {
    if (state === 'half_open') return;
    if (state === 'open') {
      this.openCircuits.add(server);
      this.raise(conditions.down, server, { server });
      return;
    }
    this.openCircuits.delete(server);
    this.clear(conditions.down, server);
  }

  /** A tool waits for the acceptance of its schema. */
  schemaPending(server: string, tool: string, facts: Readonly<Record<string, unknown>>): void {
    this.raise(conditions.schema, subjectOf(server, tool), { server, tool_name: tool, ...facts });
  }

  /** The schema of a tool is the accepted one. */
  schemaSettled(server: string, tool: string): void {
    this.clear(conditions.schema, subjectOf(server, tool));
  }

  /** Clears an alarm about what is not configured any more. */
  withdraw({ condition, subject }: OpenAlarm): void {
    const known = conditionOf(condition);
    if (known !== undefined) this.clear(known, subject);
  }

  /** Keeps the own alarms, takes over those of executors that are gone, and asks their servers. */
  async renew(): Promise<void> {
    for (const alarm of await this.parts.store.renew(this.parts.lease)) {
      this.parts.logger.info('alarm.taken_over', { alarm_id: alarm.alarmId, subject: alarm.subject });
      this.known.add(keyOf(alarm.condition, alarm.subject));
      this.parts.lookInto(alarm);
    }
  }

  /** Waits for what was raised and cleared to be stored and told. */
  async settled(): Promise<void> {
    await this.last;
  }

  private raise(condition: AlarmCondition, subject: string, facts: Readonly<Record<string, unknown>>): void {
    const key = keyOf(condition.raise, subject);
    if (this.known.has(key)) return;
    this.known.add(key);
    const raisedAt = this.parts.now();
    const alarmId = deterministicId('alarm', condition.raise, subject, raisedAt);
    const alarm = { alarmId, condition: condition.raise, subject, facts, raisedAt };
    this.inOrder(
      async () => {
        if (await this.parts.store.open(alarm, this.parts.lease)) this.tell(condition, alarm, null);
      },
      () => this.known.delete(key),
    );
  }

  private clear(condition: AlarmCondition, subject: string): void {
    const key = keyOf(condition.raise, subject);
    if (!this.known.delete(key)) return;
    const clearedAt = this.parts.now();
    this.inOrder(
      async () => {
        const alarm = await this.parts.store.close(condition.raise, subject);
        if (alarm !== undefined) this.tell(condition, alarm, clearedAt);
      },
      () => this.known.add(key),
    );
  }

  /** One after the other, so that a clearing never overtakes its raising. What the database did not take is tried again at the next occasion. */
  private inOrder(act: () => Promise<void>, undo: () => void): void {
    this.last = this.last.then(act).catch((error: unknown) => {
      undo();
      this.parts.logger.warn('alarm.not_stored', { error });
    });
  }

  private tell(condition: AlarmCondition, alarm: OpenAlarm, clearedAt: string | null): void {
    const words = {
      alarm_id: alarm.alarmId,
      perceived_severity: clearedAt === null ? condition.perceivedSeverity : 'cleared',
      probable_cause: condition.probableCause,
      specific_problem: condition.problem(alarm.subject),
      raised_at: alarm.raisedAt,
      cleared_at: clearedAt,
    };
    const signal = {
      eventType: clearedAt === null ? condition.raise : condition.clear,
      eventId: deterministicId(clearedAt === null ? 'raised' : 'cleared', alarm.alarmId),
      payload: { ...alarm.facts, alarm: words },
      timestamp: clearedAt ?? alarm.raisedAt,
      ...(clearedAt === null ? {} : { severity: 'cleared' as const }),
    };
    this.parts.emit([serverSignal(serverOf(alarm), signal)]);
  }
}

function keyOf(condition: string, subject: string): string {
  return `${condition} ${subject}`;
}

function subjectOf(server: string, tool: string): string {
  return `${server}/${tool}`;
}

/** The server that an alarm is about. */
export function serverOf({ condition, subject }: Pick<OpenAlarm, 'condition' | 'subject'>): string {
  return conditionOf(condition) === conditions.schema ? subject.slice(0, subject.indexOf('/')) : subject;
}
