/** Whether one part of a service works, and, when not, what an operator should know. */
export type ComponentHealth = { readonly ok: boolean; readonly detail?: string };

/** What `GET /ready` answers. */
export type HealthReport = {
  readonly status: 'ready' | 'not_ready';
  readonly components: Readonly<Record<string, ComponentHealth>>;
};

/** The readiness of a service: ready when each part that it cannot go without is well. */
export class HealthState {
  private readonly probes = new Map<string, () => ComponentHealth>();

  /** Names a part. `check` is asked at every report: it must be quick and must not throw. */
  probe(component: string, check: () => ComponentHealth): void {
    this.probes.set(component, check);
  }

  /** Every part with its health, and the verdict over them. */
  report(): HealthReport {
    const found = [...this.probes].map(([name, check]) => [name, check()] as const);
    const isReady = found.every(([, health]) => health.ok);
    return { status: isReady ? 'ready' : 'not_ready', components: Object.fromEntries(found) };
  }
}
