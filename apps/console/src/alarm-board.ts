import { type Alarm } from '@latch/contracts';
import { KeptByTenant } from './kept-by-tenant.ts';
import { type ShownSignal } from './signal-log.ts';
import { visibleTenants } from './visible-tenants.ts';

/** An alarm that was raised and not cleared. */
export type RaisedAlarm = Alarm & {
  readonly event_type: string;
  readonly tenant_id: string;
  readonly conversation_key: string | undefined;
};

/** Alarms that are remembered, raised and cleared; the oldest of the tenant that has most is forgotten first. */
const mostAlarms = 10_000;

/**
 * The fold of every raise and clear: what is wrong now (ITU-T X.733). A clear that comes before its raise, or twice, is no harm; nor
 * is one of another tenant, whatever id it names (invariant I12).
 */
export class AlarmBoard {
  private readonly raised = new Map<string, RaisedAlarm>();
  private readonly seen = new Map<string, 'raised' | 'cleared'>();
  private readonly remembered = new KeptByTenant<string>(mostAlarms, (id) => this.forget(id));

  apply(alarm: Alarm, { event_type, tenant_id, conversation_key }: ShownSignal): void {
    const id = JSON.stringify([tenant_id, alarm.alarm_id]);
    const isCleared = alarm.perceived_severity === 'cleared' || Boolean(alarm.cleared_at);
    const before = this.seen.get(id);
    if (before === 'cleared') return;
    if (before === undefined) this.remembered.add(tenant_id, id);
    this.seen.set(id, isCleared ? 'cleared' : 'raised');
    if (isCleared) this.raised.delete(id);
    else this.raised.set(id, { ...alarm, event_type, tenant_id, conversation_key });
  }

  /** What is raised for a tenant, the gravest first, then the newest. */
  of(tenantId: string): readonly RaisedAlarm[] {
    const visible = visibleTenants(tenantId);
    return [...this.raised.values()]
      .filter(({ tenant_id }) => visible.includes(tenant_id))
      .sort((a, b) => gravityOf(b) - gravityOf(a) || b.raised_at.localeCompare(a.raised_at));
  }

  private forget(id: string): void {
    this.raised.delete(id);
    this.seen.delete(id);
  }
}

const gravity = { cleared: 0, debug: 1, info: 1, warning: 2, minor: 3, major: 4, critical: 5 } as const;

function gravityOf({ perceived_severity: severity }: RaisedAlarm): number {
  return gravity[severity];
}
