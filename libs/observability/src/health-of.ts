import { HealthState } from './health-state.ts';

/** A part of a service that knows whether it works. */
export type SelfAware = { isHealthy(): boolean };

/** The readiness of a service over parts that know their own health, by the name that `GET /ready` shows. */
export function healthOf(parts: Readonly<Record<string, SelfAware>>): HealthState {
  const health = new HealthState();
  for (const [name, part] of Object.entries(parts)) {
    health.probe(name, () => (part.isHealthy() ? { ok: true } : { ok: false, detail: `the ${name} does not answer` }));
  }
  return health;
}
