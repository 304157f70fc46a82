import { type EventEnvelope } from '@latch/contracts';
import { type ReceivedEnvelope } from '@latch/messaging';
import { maskFields } from '@latch/observability';
import { KeptByTenant } from './kept-by-tenant.ts';
import { visibleTenants } from './visible-tenants.ts';

/** A signal as the console shows it: personal data and secrets in its payload are masked. */
export type ShownSignal = EventEnvelope & { readonly event_id: string };

/** What a stream that comes back has missed. */
export type Missed = {
  readonly signals: readonly ShownSignal[];
  /** Whether there may be more than these: the last one that the stream saw is not kept any more. */
  readonly isIncomplete: boolean;
};

type Listener = (signal: ShownSignal) => void;

/** The newest signals of the bus, bounded, for streams that begin or come back, and whoever listens now. */
export class SignalLog {
  private readonly known = new Set<string>();
  private readonly kept: KeptByTenant<ShownSignal>;
  private readonly listeners = new Set<Listener>();

  constructor(limit: number) {
    this.kept = new KeptByTenant(limit, (signal) => this.known.delete(nameOf(signal)));
  }

  /** Takes a signal. @returns whether it is new: one that is known already changes nothing, since the bus delivers at least once. */
  add(envelope: ReceivedEnvelope): boolean {
    const name = nameOf(envelope);
    if (this.known.has(name)) return false;
    const signal = { ...envelope, payload: maskedPayload(envelope.payload) };
    this.known.add(name);
    this.kept.add(signal.tenant_id, signal);
    for (const listener of this.listeners) listener(signal);
    return true;
  }

  /** What a tenant may see after a signal; of the newest, at most `latest`, where no signal is named. */
  missedBy(tenantId: string, from: { readonly lastEventId: string | undefined; readonly latest: number }): Missed {
    const signals = this.kept.of(visibleTenants(tenantId));
    if (from.lastEventId === undefined) {
      return { signals: from.latest === 0 ? [] : signals.slice(-from.latest), isIncomplete: false };
    }
    const place = signals.findIndex(({ event_id: id }) => id === from.lastEventId);
    return { signals: signals.slice(place + 1), isIncomplete: place < 0 };
  }

  /** Listens to every signal from now on. @returns how to stop. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** Ids of events belong to their tenant: one that names an id of another tenant's hides nothing of it (invariant I12). */
function nameOf({ tenant_id, event_id }: Pick<ShownSignal, 'tenant_id' | 'event_id'>): string {
  return JSON.stringify([tenant_id, event_id]);
}

function maskedPayload(payload: EventEnvelope['payload']): EventEnvelope['payload'] {
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, maskMember(name, value)]));
}

/** The name goes in too: a field that is named as a secret shows no value. */
function maskMember(name: string, value: unknown): unknown {
  return Object.values(Object(maskFields({ [name]: value })))[0];
}
