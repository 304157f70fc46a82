import { type Service, services } from './telecom-data.ts';

/** What calls have changed since the start or the last reset. Everything else is fixed data. */
export class TelecomState {
  private cancelled = new Set<string>();
  private disputed = new Set<string>();

  /** Whether the service is still contracted. */
  isActive(service: Service): boolean {
    return !this.cancelled.has(service.id);
  }

  /** The services that are still contracted. */
  activeServices(): readonly Service[] {
    return services.filter((service) => this.isActive(service));
  }

  /** Ends a service. */
  cancel(service: Service): void {
    this.cancelled.add(service.id);
  }

  /** Whether a charge is already disputed; by invoice and description. */
  isDisputed(charge: string): boolean {
    return this.disputed.has(charge);
  }

  /** Opens the dispute of a charge. */
  dispute(charge: string): void {
    this.disputed.add(charge);
  }

  /** Back to the first state. */
  reset(): void {
    this.cancelled = new Set();
    this.disputed = new Set();
  }
}
