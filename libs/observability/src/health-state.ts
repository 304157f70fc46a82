/** Whether one part of a service works, and, when not, what an operator should know. */
export type ComponentHealth = { readonly ok: boolean; readonly detail?: string };

/** What `GET /ready` answers. */
export type HealthReport = {
  readonly status: 'ready' | 'not_ready';
  readonly components: Readonly<Record<string, ComponentHealth>>;
};

/**
 * The readiness of a service: ready when every component is. Name the components up front: what has not reported yet is not ready, so that
 * a service takes no traffic while it starts.
 */
export class HealthState {
  private readonly components = new Map<string, ComponentHealth>();
  private readonly probes = new Map<string, () => ComponentHealth>();

  constructor(components: readonly string[] = []) {
    for (const component of components) this.set(component, { ok: false, detail: 'starting' });
  }

  /** Reports a component's health; it stays so until the next report. */
  set(component: string, health: ComponentHealth): void {
    this.components.set(component, health);
  }

  /** Asks `check` at every report instead, for a part that knows its own health (bus, database). It must be quick and must not throw. */
  probe(component: string, check: () => ComponentHealth): void {
    this.components.delete(component);
    this.probes.set(component, check);
  }

  /** Whether every component is well. */
  isReady(): boolean {
    return this.report().status === 'ready';
  }

  /** Every component with its health, and the verdict over them. */
  report(): HealthReport {
    const probed = [...this.probes].map(([name, check]) => [name, check()] as const);
    const all = [...this.components, ...probed];
    const isReady = all.every(([, health]) => health.ok);
    return { status: isReady ? 'ready' : 'not_ready', components: Object.fromEntries(all) };
  }
}
