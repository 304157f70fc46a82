import { DeadLetter, DeadLetterRedrive } from '@latch/contracts';
import { type Received, showLetter, type ShownLetter } from '@latch/messaging';
import { KeptByTenant } from './kept-by-tenant.ts';

/** A dead letter on the console's page, and whether an operator has sent its message again. */
export type ShelvedLetter = ShownLetter & {
  readonly sent_again: { readonly times: number; readonly last_at: string } | null;
};

/** How many dead letters of a topic had a reason. */
export type DeadLetterCount = { readonly topic: string; readonly code: string; readonly count: number };

/** Tenants whose letters are counted; those of further ones are kept and not counted. */
const mostTenants = 10_000;

/** Sendings of one letter that are counted. */
const mostMarks = 1_000;

/** The newest dead letters, bounded, and how many there were of each kind. */
export class DeadLetterShelf {
  private readonly kept: KeptByTenant<ShownLetter>;
  private readonly known = new Set<string>();
  /** Of each letter, the marks of its sendings, by their event ids, with the time of each. */
  private readonly sent = new Map<string, Map<string, string>>();
  private readonly counts = new Map<string, Map<string, DeadLetterCount>>();

  constructor(limit: number) {
    this.kept = new KeptByTenant(limit, ({ event_id: id }) => this.forget(id));
  }

  /** Takes a letter, or that one was sent again; a letter that is known already changes nothing. */
  add({ envelope, payload }: Received): void {
    // The topic carries both contracts, and nothing says that the payload is the one of the event type.
    const redrive = DeadLetterRedrive.safeParse(payload);
    if (envelope.event_type === 'IC.DEAD_LETTER_REDRIVEN')
      return redrive.success ? this.noteSent(envelope.event_id, redrive.data) : undefined;
    const read = DeadLetter.safeParse(payload);
    if (!read.success || this.known.has(envelope.event_id)) return;
    const letter = showLetter(read.data, envelope);
    this.known.add(letter.event_id);
    this.kept.add(letter.tenant_id, letter);
    this.count(letter);
  }

  /** The kept letters of a tenant, newest first. */
  of(tenantId: string): readonly ShelvedLetter[] {
    const letters = this.kept.of([tenantId]).toReversed();
    return letters.map((letter) => ({ ...letter, sent_again: this.sentAgain(letter.event_id) }));
  }

  /** How many letters of a tenant came since the topic begins, by topic and reason; the most frequent first. */
  countsOf(tenantId: string): readonly DeadLetterCount[] {
    return [...(this.counts.get(tenantId)?.values() ?? [])].sort((a, b) => b.count - a.count);
  }

  private noteSent(markId: string, { letter: { event_id: id }, step, at }: DeadLetterRedrive): void {
    if (step !== 'sent' || !this.known.has(id)) return;
    const marks = this.sent.get(id) ?? new Map<string, string>();
    this.sent.set(id, marks);
    if (marks.size < mostMarks) marks.set(markId, at);
  }

  private sentAgain(id: string): ShelvedLetter['sent_again'] {
    const times = [...(this.sent.get(id)?.values() ?? [])];
    const last = times.at(-1);
    return last === undefined ? null : { times: times.length, last_at: last };
  }

  private forget(id: string): void {
    this.known.delete(id);
    this.sent.delete(id);
  }

  private count({ tenant_id, topic, reason: { code } }: ShownLetter): void {
    const counts = this.counts.get(tenant_id) ?? new Map<string, DeadLetterCount>();
    if (!this.counts.has(tenant_id) && this.counts.size >= mostTenants) return;
    this.counts.set(tenant_id, counts);
    const kind = `${topic} ${code}`;
    counts.set(kind, { topic, code, count: (counts.get(kind)?.count ?? 0) + 1 });
  }
}
