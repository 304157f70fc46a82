import { type SealedHead } from './evidence-seal.ts';
import { type ChainLink, genesisHash, linkHash } from './hash-chain.ts';
import { type VerifyProblem } from './verify-report.ts';

/** What the store says of one stream, beside its events. */
export type StreamFacts = {
  readonly streamId: string;
  /** The row that ties it to its conversation. */
  readonly stream: { readonly conversationKey: string; readonly tenantId: string } | undefined;
  /** The row that remembers its head. */
  readonly conversation: { readonly tenantId: string; readonly version: number; readonly headHash: string } | undefined;
  /** What was sealed of it, by version. */
  readonly heads: readonly SealedHead[];
  /** Which events must be sealed by now; null: none is asked for. */
  readonly sealedBy: SealedBy | null;
};

/**
 * An event of before `beforeMs` must be sealed, and so must one of after `nowMs`, which nobody can have written honestly: whoever rewrites a stream chooses its times. Milliseconds
 * since 1970, by the clock of the database.
 */
export type SealedBy = { readonly beforeMs: number; readonly nowMs: number };

/** By how much the clocks of what writes events and of the database may differ. */
const toleranceMs = 300_000;

/** An event as the database holds it, its payload digested. */
export type RawEvent = ChainLink & { readonly tenantId: string; readonly hash: string };

/** Checks one stream, event by event, and remembers the first thing that is wrong. */
export class StreamCheck {
  private problem: VerifyProblem | undefined;
  private previous: string;
  private version = 0;
  /** Up to here a signature has vouched. */
  private vouched = 0;
  private firstUnsealedMs: number | undefined;
  private readonly heads: SealedHead[];

  constructor(private readonly facts: StreamFacts) {
    this.heads = facts.heads.toSorted((one, other) => one.version - other.version);
    const { streamId, stream } = facts;
    this.previous = stream ? genesisHash({ streamId, ...stream }) : '';
  }

  /** The next event of the stream, in the order of versions. */
  next(event: RawEvent): void {
    const version = this.version + 1;
    this.version = event.version;
    if (this.problem || !this.facts.stream) return;
    if (event.version !== version)
      return this.found('event_missing', { version, detail: `version ${version} is not there, ${event.version} is` });
    if (event.tenantId !== this.facts.stream.tenantId) {
      return this.found('tenant_changed', { version, detail: `the event names the tenant ${event.tenantId}` });
    }
    if (event.hash !== linkHash(this.facts.streamId, this.previous, event)) {
      return this.found('event_altered', {
        version,
        detail: 'its hash does not follow from what it says and from the event before',
      });
    }
    this.previous = event.hash;
    if (version > this.lastSealed()) this.firstUnsealedMs ??= Date.parse(event.occurredAt);
    this.compareWithSeals(event);
  }

  /** The stream has no more events. @returns the first thing that is wrong. */
  end(): VerifyProblem | undefined {
    const { stream, conversation } = this.facts;
    if (!stream) {
      if (this.version > 0 || conversation || this.heads.length > 0) {
        this.found('stream_missing', {
          version: 1,
          detail: `the stream is gone; ${this.version} of its events are there`,
        });
      }
      return this.problem;
    }
    if (!this.problem) this.compareWithHead();
    if (!this.problem) this.compareTenants();
    return this.problem;
  }

  /** How many events no seal vouches for. */
  unsealed(): number {
    return Math.max(0, this.version - this.lastSealed());
  }

  private compareWithSeals({ version, hash }: RawEvent): void {
    for (const head of this.heads) {
      if (head.version !== version) continue;
      if (head.hash === hash) this.vouched = version;
      else {
        const detail = `the head that was signed at version ${version} is ${head.hash}, not ${hash}`;
        this.found('head_rewritten', { version: this.vouched + 1, untilVersion: version, detail });
        return;
      }
    }
  }

  private compareWithHead(): void {
    const { conversation } = this.facts;
    const known = Math.max(conversation?.version ?? 0, this.lastSealed());
    if (known > this.version) {
      const detail = `${known} events are known of, ${this.version} are there`;
      return this.found('stream_truncated', { version: this.version + 1, detail });
    }
    if (conversation) return this.compareWithConversation(conversation);
    if (this.version > 0) this.found('conversation_missing', { version: 1, detail: 'the row with the head is gone' });
  }

  private compareWithConversation({ version, headHash }: NonNullable<StreamFacts['conversation']>): void {
    if (version < this.version) {
      return this.found('stream_extended', { version: version + 1, detail: `the head is at version ${version}` });
    }
    if (headHash !== this.previous && this.version > 0) {
      return this.found('event_altered', { version, detail: 'the head remembers another hash of the last event' });
    }
    if (this.isSealMissed()) {
      const detail = `${this.unsealed()} events should be sealed by now and are not`;
      this.found('unsealed', { version: this.lastSealed() + 1, detail });
    }
  }

  private isSealMissed(): boolean {
    const { sealedBy } = this.facts;
    if (sealedBy === null || this.firstUnsealedMs === undefined) return false;
    return this.firstUnsealedMs < sealedBy.beforeMs || this.firstUnsealedMs > sealedBy.nowMs + toleranceMs;
  }

  private lastSealed(): number {
    return this.heads.at(-1)?.version ?? 0;
  }

  private compareTenants(): void {
    const { stream, conversation } = this.facts;
    const others = [conversation, ...this.heads].flatMap((row) =>
      row && row.tenantId !== stream?.tenantId ? row.tenantId : [],
    );
    const [other] = others;
    if (other !== undefined) this.found('tenant_changed', { version: 1, detail: `the tenant was ${other}` });
  }

  private found(kind: VerifyProblem['kind'], where: Pick<VerifyProblem, 'version' | 'untilVersion' | 'detail'>): void {
    const { streamId, stream, conversation } = this.facts;
    const tenantId = stream?.tenantId ?? conversation?.tenantId ?? this.heads[0]?.tenantId;
    this.problem = {
      kind,
      streamId,
      ...(tenantId === undefined ? {} : { tenantId }),
      ...(stream && { conversationKey: stream.conversationKey }),
      ...where,
    };
  }
}
