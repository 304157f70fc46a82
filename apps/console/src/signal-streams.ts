import { contextOf, EventStream, type Exchange, principalOf, problemOf, whenLapsed } from '@latch/http';
import { letsThrough, type SignalsQuery } from './signal-filter.ts';
import { type ShownSignal, type SignalLog } from './signal-log.ts';
import { visibleTenants } from './visible-tenants.ts';

/** Which stream: for whom, of what, and after which signal it goes on. */
export type StreamRequest = {
  readonly tenantId: string;
  readonly query: SignalsQuery;
  readonly lastEventId: string | undefined;
};

type OpenStream = { readonly tenantId: string; readonly stopListening: () => void; readonly stopWatching: () => void };

/** How long a client waits before it connects again after the server has ended its stream. */
const retryMs = 1_000;

/** What a client may leave unread before its stream is ended: it comes back and goes on where it was. */
const mostUnreadBytes = 1_048_576;

/** The live streams of signals: bounded in number, and each in what it may leave unread (invariant I17). */
export class SignalStreams {
  private readonly open = new Map<EventStream, OpenStream>();

  constructor(
    private readonly log: SignalLog,
    private readonly limits: { readonly most: number; readonly heartbeatMs: number },
  ) {}

  /** How many of a tenant are open. */
  countOf(tenantId: string): number {
    return [...this.open.values()].filter((stream) => stream.tenantId === tenantId).length;
  }

  /** Begins a stream: first what was missed, then every signal as it comes. @returns false when too many are open. */
  start({ request, response }: Exchange, { tenantId, query, lastEventId }: StreamRequest): boolean {
    if (this.open.size >= this.limits.most) return false;
    const stream = new EventStream(response, { heartbeatMs: this.limits.heartbeatMs });
    const visible = visibleTenants(tenantId);
    const show = (signal: ShownSignal): void => {
      if (!visible.includes(signal.tenant_id) || !letsThrough(query, signal)) return;
      stream.send('signal', signal, { id: signal.event_id });
      if (stream.unreadBytes > mostUnreadBytes) this.end(stream);
    };
    const missed = this.log.missedBy(tenantId, { lastEventId, latest: query.latest });
    stream.send('connected', { tenant_id: tenantId, is_incomplete: missed.isIncomplete }, { retryMs });
    const stopWatching = whenLapsed(principalOf(request), (refusal) => {
      stream.send('error', problemOf(refusal, contextOf(request).traceId));
      this.end(stream);
    });
    this.open.set(stream, { tenantId, stopListening: this.log.listen(show), stopWatching });
    response.on('close', () => this.end(stream));
    missed.signals.forEach(show);
    return true;
  }

  /** Ends every stream; the clients connect again, to whoever serves then. */
  close(): void {
    for (const stream of [...this.open.keys()]) {
      stream.send('closing', {}, { retryMs });
      this.end(stream);
    }
  }

  private end(stream: EventStream): void {
    this.open.get(stream)?.stopListening();
    this.open.get(stream)?.stopWatching();
    if (this.open.delete(stream)) stream.close();
  }
}
