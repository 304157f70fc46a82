import { type Attempt, type RawOutcome } from '@latch/contracts';

/** Commits that an attempt begins, with what became of attempts before it. @returns false when the invocation is not ours any more. */
export type CommitAttempt = (begun: {
  readonly number: number;
  readonly step: string | null;
  readonly ended: readonly Attempt[];
}) => Promise<boolean>;

/** What the journal writes to. */
export type JournalParts = {
  readonly commit: CommitAttempt;
  /** Keeps what became of attempts while the invocation goes on. */
  readonly save: (ended: readonly Attempt[]) => Promise<void>;
  readonly now: () => string;
};

/**
 * How long an end waits for a commit that takes it along, in milliseconds. Most calls have one attempt, whose end is recorded with their outcome at once: only one that
 * waits for something costs a statement of its own.
 */
const saveAfterMs = 100;

/** An attempt that was committed and may be made; `end` is due once, when its outcome is known. */
export type OpenAttempt = { readonly number: number; end(outcome: RawOutcome): void };

/**
 * The attempts of one invocation, numbered over all its steps. Attempts begin one after the other, also those of steps that run side by side, because each
 * commit takes the next number of the ledger; they may run and end in any order. What has ended is kept with the commit of the next one, with the outcome, or, where
 * neither comes soon (others run, a pause is waited for), by itself: a crash in the meantime must not make unknown what was known.
 */
export class AttemptJournal {
  private readonly entries: Attempt[];
  /** Ended, and not in the ledger yet. */
  private unsaved: Attempt[];
  private beginning: Promise<unknown> = Promise.resolve();
  private isLeft = false;
  private isClosed = false;
  private saving: NodeJS.Timeout | undefined;

  constructor(
    before: readonly Attempt[],
    private readonly parts: JournalParts,
  ) {
    this.entries = [...before];
    this.unsaved = before.filter(({ outcome }) => outcome?.kind === 'lost');
  }

  /**
   * Begins an attempt.
   *
   * @returns null when another instance has taken the invocation over: then nothing may be sent any more.
   * @throws RetryableError when the database does not answer: nothing may be sent.
   */
  begin(step: string | null): Promise<OpenAttempt | null> {
    const begun = this.beginning.then(() => this.commitNext(step));
    this.beginning = begun.catch(() => null);
    return begun;
  }

  /** All attempts in order; those that still run have no outcome. */
  get attempts(): readonly Attempt[] {
    return [...this.entries];
  }

  /** The attempts of one step, in order. */
  attemptsOf(step: string | null): readonly Attempt[] {
    return this.entries.filter((attempt) => (attempt.step ?? null) === step);
  }

  /** The invocation has its outcome, which takes along what has ended. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.saving);
  }

  private async commitNext(step: string | null): Promise<OpenAttempt | null> {
    if (this.isLeft) return null;
    const number = this.entries.length + 1;
    const startedAt = this.parts.now();
    this.isLeft = !(await this.withUnsaved((ended) => this.parts.commit({ number, step, ended })));
    if (this.isLeft) return null;
    this.entries.push({ number, started_at: startedAt, ...(step === null ? {} : { step }) });
    return { number, end: (outcome) => this.end(number, outcome) };
  }

  private end(number: number, outcome: RawOutcome): void {
    const open = this.entries[number - 1];
    if (open === undefined) return;
    const closed = { ...open, ended_at: this.parts.now(), outcome };
    this.entries[number - 1] = closed;
    this.unsaved.push(closed);
    this.saveSoon();
  }

  /** The first end that waits sets the time: many that come one after the other must not put it off. */
  private saveSoon(): void {
    if (this.isClosed) return;
    this.saving ??= setTimeout(() => {
      this.saving = undefined;
      this.beginning = this.beginning.then(() => this.saveUnsaved());
    }, saveAfterMs);
  }

  /** Between two commits. What cannot be kept now is kept with the next commit, or with the outcome. */
  private async saveUnsaved(): Promise<void> {
    if (this.isLeft || this.isClosed || this.unsaved.length === 0) return;
    await this.withUnsaved((ended) => this.parts.save(ended)).catch(() => undefined);
  }

  /** What a statement could not keep is there for the next one. */
  private async withUnsaved<T>(keep: (ended: readonly Attempt[]) => Promise<T>): Promise<T> {
    const ended = this.unsaved;
    this.unsaved = [];
    try {
      return await keep(ended);
    } catch (error) {
      this.unsaved = [...ended, ...this.unsaved];
      throw error;
    }
  }
}
