import { randomUUID } from 'node:crypto';
import { type ConfigReport } from '@latch/config';
import { conversationKeyOf, deterministicId, type Severity } from '@latch/contracts';
import { makeEnvelope } from './envelope.ts';
import { type ReceivedEnvelope } from './parse-record.ts';

type Alarm = { readonly id: string; readonly raisedAt: string };

/** An operator reads the first ones; `config check` tells them all. */
const mostProblems = 20;

/**
 * Tells operators what became of changed files: `NOC.CONFIG_REJECTED` with an alarm, and `NOC.CONFIG_APPLIED`, which clears it under the same `alarm_id` once
 * good files are there (DESIGN section 3). Each instance reads its own folder, so each has its own alarm.
 */
export class ConfigReports {
  private alarm: Alarm | null = null;
  private readonly instance = randomUUID();
  private told = 0;

  /** @param now the instant, UTC. */
  constructor(
    private readonly service: string,
    private readonly now: () => string,
  ) {}

  /** The event that tells this. */
  tell(report: ConfigReport): ReceivedEnvelope {
    return report.kind === 'applied' ? this.applied(report.files) : this.rejected(report);
  }

  private rejected(report: Extract<ConfigReport, { kind: 'rejected' }>): ReceivedEnvelope {
    const at = this.now();
    this.alarm ??= { id: deterministicId('alarm', this.instance, at), raisedAt: at };
    const payload = {
      service: this.service,
      files_digest: report.files,
      in_use_digest: report.inUse,
      problems_count: report.problems.length,
      problems: report.problems.slice(0, mostProblems).map((problem) => ({ ...problem })),
      alarm: { ...wordsOf(this.alarm), perceived_severity: 'major', cleared_at: null },
    };
    return this.envelope('NOC.CONFIG_REJECTED', { payload, at, severity: 'major' });
  }

  private applied(files: string): ReceivedEnvelope {
    const at = this.now();
    const { alarm } = this;
    this.alarm = null;
    const facts = { service: this.service, files_digest: files };
    if (alarm === null) return this.envelope('NOC.CONFIG_APPLIED', { payload: facts, at, severity: 'info' });
    const cleared = { ...wordsOf(alarm), perceived_severity: 'cleared', cleared_at: at };
    return this.envelope('NOC.CONFIG_APPLIED', { payload: { ...facts, alarm: cleared }, at, severity: 'cleared' });
  }

  private envelope(
    eventType: 'NOC.CONFIG_REJECTED' | 'NOC.CONFIG_APPLIED',
    of: { readonly payload: Record<string, unknown>; readonly at: string; readonly severity: Severity },
  ): ReceivedEnvelope {
    const identity = { tenant_id: 'platform', agent_id: this.service, session_id: 'configuration' };
    this.told += 1;
    const eventId = deterministicId(eventType, this.instance, this.told);
    return makeEnvelope({
      eventType,
      eventId,
      payload: of.payload,
      timestamp: of.at,
      severity: of.severity,
      contractVersion: 'event-envelope-v1',
      tenantId: identity.tenant_id,
      agentId: identity.agent_id,
      sessionId: identity.session_id,
      conversationKey: conversationKeyOf(identity),
      traceId: eventId,
      producer: this.service,
    });
  }
}

function wordsOf(alarm: Alarm): Readonly<Record<string, unknown>> {
  return {
    alarm_id: alarm.id,
    probable_cause: 'configuration_or_customization_error',
    specific_problem: 'changed configuration files have mistakes and are not used; the last good ones are',
    raised_at: alarm.raisedAt,
  };
}
