/** What can be wrong with the evidence; each kind is a way in which somebody changed it behind the store's back. */
export type VerifyProblemKind =
  /** An event, or what it says of its place, is not what was written. */
  | 'event_altered'
  /** A version between two others is not there. */
  | 'event_missing'
  /** The last events are gone: the conversation's head or a seal knows more. */
  | 'stream_truncated'
  /** More events than the conversation's head knows of. */
  | 'stream_extended'
  /** A whole stream, or the row that ties it to its conversation, is gone. */
  | 'stream_missing'
  /** The conversation's row, which holds the head, is gone. */
  | 'conversation_missing'
  /** Stream, conversation, events and seals do not name the same tenant. */
  | 'tenant_changed'
  /** The chain fits together and leads to another head than the one that was signed: it was rewritten with new hashes. */
  | 'head_rewritten'
  /** Events are old enough to be sealed and are not: the seal was taken away, or nobody seals. */
  | 'unsealed'
  /** A seal is not there: a gap in the numbers, or the last ones that somebody has seen. */
  | 'seal_missing'
  /** A seal, its heads or its chain to the one before are not what was written. */
  | 'seal_altered'
  /** The signature of a seal does not fit its key. */
  | 'seal_forged'
  /** A seal names a key that is not among the public keys. */
  | 'seal_key_unknown';

/** A place where the evidence is not what was written. Of a stream: `streamId` and `version`; of a seal: `sealNumber`. */
export type VerifyProblem = {
  readonly kind: VerifyProblemKind;
  readonly tenantId?: string;
  readonly streamId?: string;
  readonly conversationKey?: string;
  /** The first version that cannot be trusted. */
  readonly version?: number;
  /** The last version that it may be, where a signature narrows it no further. */
  readonly untilVersion?: number;
  readonly sealNumber?: number;
  /** For a person: what is there, and what should be. */
  readonly detail: string;
};

/** How far a verification is. */
export type VerifyProgress = {
  readonly streams: number;
  /** Of how many streams, as counted at the begin. */
  readonly ofStreams: number;
  readonly events: number;
  readonly problems: number;
};

/** What was verified, and what was found. */
export type VerifyReport = {
  /** No problem of any kind. */
  readonly isGood: boolean;
  readonly streams: number;
  readonly events: number;
  readonly seals: number;
  /** Events behind the last seal of their stream: nobody has signed for them yet. */
  readonly unsealedEvents: number;
  /** The last seal: keep it outside of the database, and hand it to the next verification. */
  readonly lastSeal: { readonly number: number; readonly hash: string; readonly sealedAt: string } | null;
  /** Whether signatures were checked; `no_keys`: there are seals, and no public key was given. */
  readonly signatures: 'checked' | 'no_keys' | 'no_seals';
  /** Each kind that was found: how often, and the first place. Empty when all is good. */
  readonly problems: readonly {
    readonly kind: VerifyProblemKind;
    readonly count: number;
    readonly first: VerifyProblem;
  }[];
};

/** Counts problems by kind and keeps the first of each, so that memory does not grow with what is wrong. */
export class ProblemTally {
  private readonly byKind = new Map<VerifyProblemKind, { count: number; readonly first: VerifyProblem }>();
  private total = 0;

  add(problem: VerifyProblem): void {
    this.total += 1;
    const known = this.byKind.get(problem.kind);
    if (known) known.count += 1;
    else this.byKind.set(problem.kind, { count: 1, first: problem });
  }

  /** How many there are, of all kinds. */
  count(): number {
    return this.total;
  }

  /** Each kind with its count and its first place, in the order in which they were met. */
  list(): VerifyReport['problems'] {
    return [...this.byKind].map(([kind, { count, first }]) => ({ kind, count, first }));
  }
}
