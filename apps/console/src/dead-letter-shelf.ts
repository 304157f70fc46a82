import { DeadLetter } from '@latch/contracts';
import { type Received } from '@latch/messaging';
import { mask, maskFields } from '@latch/observability';
import { KeptByTenant } from './kept-by-tenant.ts';

/** A dead letter as the console shows it: the text of the message masked and cut, never its bytes. */
export type ShownDeadLetter = {
  readonly event_id: string;
  readonly tenant_id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string | null;
  readonly headers: unknown;
  readonly reason: { readonly code: string; readonly message: string };
  readonly consumer: string;
  readonly attempts: number;
  readonly failed_at: string;
  /** Size of the original message. */
  readonly bytes: number;
  /** The beginning of the message, masked; null where its bytes are no text. */
  readonly text: string | null;
};

/** How many dead letters of a topic had a reason. */
export type DeadLetterCount = { readonly topic: string; readonly code: string; readonly count: number };

/** Characters of a message that are shown. */
const shownCharacters = 4_096;

/** Tenants whose letters are counted; those of further ones are kept and not counted. */
const mostTenants = 10_000;

/** The newest dead letters, bounded, and how many there were of each kind. */
export class DeadLetterShelf {
  private readonly kept: KeptByTenant<ShownDeadLetter>;
  private readonly known = new Set<string>();
  private readonly counts = new Map<string, Map<string, DeadLetterCount>>();

  constructor(limit: number) {
    this.kept = new KeptByTenant(limit, ({ event_id: id }) => this.known.delete(id));
  }

  /** Takes a letter; one that is known already changes nothing. */
  add({ envelope, payload }: Received): void {
    if (this.known.has(envelope.event_id)) return;
    const letter = shownLetter(DeadLetter.parse(payload), envelope);
    this.known.add(letter.event_id);
    this.kept.add(letter.tenant_id, letter);
    this.count(letter);
  }

  /** The kept letters of a tenant, newest first. */
  of(tenantId: string): readonly ShownDeadLetter[] {
    return this.kept.of([tenantId]).toReversed();
  }

  /** How many letters of a tenant came since the topic begins, by topic and reason; the most frequent first. */
  countsOf(tenantId: string): readonly DeadLetterCount[] {
    return [...(this.counts.get(tenantId)?.values() ?? [])].sort((a, b) => b.count - a.count);
  }

  private count({ tenant_id, topic, reason: { code } }: ShownDeadLetter): void {
    const counts = this.counts.get(tenant_id) ?? new Map<string, DeadLetterCount>();
    if (!this.counts.has(tenant_id) && this.counts.size >= mostTenants) return;
    this.counts.set(tenant_id, counts);
    const kind = `${topic} ${code}`;
    counts.set(kind, { topic, code, count: (counts.get(kind)?.count ?? 0) + 1 });
  }
}

function shownLetter(letter: DeadLetter, envelope: Received['envelope']): ShownDeadLetter {
  const { source, reason, consumer, attempts, failed_at } = letter;
  const value = Buffer.from(letter.value_base64, 'base64');
  return {
    event_id: envelope.event_id,
    tenant_id: envelope.tenant_id,
    topic: source.topic,
    partition: source.partition,
    offset: source.offset,
    key: typeof source.key === 'string' ? mask(source.key) : null,
    headers: maskFields(source.headers),
    reason: { code: reason.code, message: mask(reason.message) },
    consumer,
    attempts,
    failed_at,
    bytes: letter.truncated_from_bytes ?? value.length,
    text: textOf(value),
  };
}

/** Masked before it is cut: a number that the cut halves would not be known for what it is. */
function textOf(value: Buffer): string | null {
  const beginning = value.subarray(0, shownCharacters * 4);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true });
    return mask(text).slice(0, shownCharacters);
  } catch {
    return null;
  }
}
