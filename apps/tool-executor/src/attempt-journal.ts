import { type Attempt, type RawOutcome } from '@latch/contracts';

/** Commits that an attempt begins, with what became of attempts before it. @returns false when the invocation is not ours any more. */
export type CommitAttempt = (begun: {
  readonly number: number;
  readonly step: string | null;
  readonly ended: readonly Attempt[];
}) => Promise<boolean>;

/** An attempt that was committed and may be made; `end` is due once, when its outcome is known. */
export type OpenAttempt = { readonly number: number; end(outcome: RawOutcome): void };

/**
 * The attempts of one invocation, numbered over all its steps. Attempts begin one after the other, also those of steps that run side by side, because each
 * commit takes the next number of the ledger; they may run and end in any order. What has ended is kept with the commit of the next one, and with the outcome.
 */
export class AttemptJournal {
  private readonly entries: Attempt[];
  /** Ended, and not in the ledger yet. */
  private unsaved: Attempt[];
  private beginning: Promise<unknown> = Promise.resolve();
  private isLeft = false;

  constructor(
    before: readonly Attempt[],
    private readonly parts: { readonly commit: CommitAttempt; readonly now: () => string },
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

  private async commitNext(step: string | null): Promise<OpenAttempt | null> {
    if (this.isLeft) return null;
    const number = this.entries.length + 1;
    const startedAt = this.parts.now();
    const ended = this.unsaved;
    this.unsaved = [];
    if (!(await this.parts.commit({ number, step, ended }))) {
      this.isLeft = true;
      return null;
    }
    this.entries.push({ number, started_at: startedAt, ...(step === null ? {} : { step }) });
    return { number, end: (outcome) => this.end(number, outcome) };
  }

  private end(number: number, outcome: RawOutcome): void {
    const open = this.entries[number - 1];
    if (open === undefined) return;
    const closed = { ...open, ended_at: this.parts.now(), outcome };
    this.entries[number - 1] = closed;
    this.unsaved.push(closed);
  }
}
