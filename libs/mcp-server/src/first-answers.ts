import { type ToolAnswer } from './domain-tool.ts';

/** The first answer to a call that had success under an idempotency key. */
export type RememberedAnswer =
  | { readonly kind: 'done'; readonly tool: string; readonly content: Readonly<Record<string, unknown>> }
  | { readonly kind: 'running'; readonly tool: string };

/** What became of a call under a key. */
export type KeyedAnswer =
  | { readonly kind: 'first' | 'repeated'; readonly answer: ToolAnswer }
  /** The key was used for another tool or other arguments. */
  | { readonly kind: 'conflict'; readonly tool: string };

type Entry = {
  readonly tool: string;
  readonly digest: string;
  readonly answer: Promise<ToolAnswer>;
  settled: ToolAnswer | null;
};

/**
 * Remembers the first answer per idempotency key and repeats it, so that a repeated call has no second effect. Calls under the same key at the
 * same time share one run. A failed answer had no effect and is not remembered: the call may be tried again.
 *
 * Memory is bounded: the oldest keys are forgotten first.
 */
export class FirstAnswers {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly limit = 10_000) {}

  /** Runs `work`, or answers from memory. `digest` is that of the arguments. */
  async answer(
    key: string,
    call: { readonly tool: string; readonly digest: string },
    work: () => Promise<ToolAnswer>,
  ): Promise<KeyedAnswer> {
    const known = this.entries.get(key);
    if (known === undefined) return { kind: 'first', answer: await this.run(key, call, work) };
    if (known.tool !== call.tool || known.digest !== call.digest) return { kind: 'conflict', tool: known.tool };
    return { kind: 'repeated', answer: await known.answer };
  }

  /** What is known about a key; null when nothing was ever done under it, as far as memory goes. */
  recall(key: string): RememberedAnswer | null {
    const entry = this.entries.get(key);
    if (entry === undefined) return null;
    if (entry.settled?.ok === true) return { kind: 'done', tool: entry.tool, content: entry.settled.content };
    return { kind: 'running', tool: entry.tool };
  }

  /** Forgets everything. */
  clear(): void {
    this.entries.clear();
  }

  private async run(
    key: string,
    call: { readonly tool: string; readonly digest: string },
    work: () => Promise<ToolAnswer>,
  ): Promise<ToolAnswer> {
    const entry: Entry = { ...call, answer: work(), settled: null };
    this.entries.set(key, entry);
    this.forgetOldest();
    try {
      entry.settled = await entry.answer;
      return entry.settled;
    } finally {
      if (entry.settled?.ok !== true && this.entries.get(key) === entry) this.entries.delete(key);
    }
  }

  private forgetOldest(): void {
    for (const [key, { settled }] of this.entries) {
      if (this.entries.size <= this.limit) return;
      if (settled !== null) this.entries.delete(key);
    }
  }
}
