import { type ProposalItem, type ToolConfig } from '@latch/contracts';

/** One rule that matched in an utterance, with the rule that came second, so that "why" can always be answered. */
export type Reading = {
  /** Stable name of the rule, such as `yes-no.yes` or `extract.pattern`. */
  readonly rule: string;
  /** Where in the original text, as UTF-16 offsets `[from, to)`; null when the whole text matched. */
  readonly span: readonly [number, number] | null;
  readonly text: string;
  readonly runnerUp: string | null;
};

/** How an utterance answers a yes/no question. `unclear` never executes anything. */
export type ConfirmationReading = 'yes' | 'no' | 'yes_with_change' | 'no_with_change' | 'unclear';

/** A change of the effective set or of a value, asked for at the confirmation. Item ids are those of the proposal. */
export type ProposalChange =
  | { readonly kind: 'exclude'; readonly itemIds: readonly string[] }
  | { readonly kind: 'only'; readonly itemIds: readonly string[] }
  /** More than what is shown, as it was called. */
  | { readonly kind: 'include'; readonly labels: readonly string[] }
  | { readonly kind: 'replace'; readonly itemId: string; readonly by: string }
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, unknown>> };

/** The intent that an utterance names, with the one that came second. */
export type IntentReading = {
  readonly intent: string;
  readonly tool: string | null;
  /** From 0 to 1. */
  readonly score: number;
  /** Whether it is unequivocal: only then may it interrupt an open transaction. */
  readonly isClear: boolean;
  /** Values for the intent's tool that the same utterance gives; none where it is not clear. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly runnerUp: { readonly intent: string; readonly score: number } | null;
};

/** What we are waiting for when the utterance is read. */
export type Expectation =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'parameters';
      readonly tool: ToolConfig;
      /** Names of the pending parameters, the one that was asked for first. */
      readonly missing: readonly string[];
      readonly collected: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'confirmation';
      readonly tool: ToolConfig;
      readonly items: readonly ProposalItem[];
      readonly collected: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'busy'; readonly tool: ToolConfig };

/** Everything that was read in one utterance. It is stored with the turn, and a replay uses it instead of reading again. */
export type Understanding = {
  readonly confirmation: ConfirmationReading;
  readonly change: ProposalChange | null;
  /** The user gives the open transaction up, in so many words. */
  readonly abandons: boolean;
  /** Values for parameters of the expected tool: pending ones, or collected ones that are corrected. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Values that were given for a pending parameter and break its declaration: parameter -> what is wrong with it. */
  readonly invalid: Readonly<Record<string, string>>;
  /** The utterance says that an earlier value was wrong ("me enganei", "na verdade"). */
  readonly corrects: boolean;
  readonly intent: IntentReading | null;
  /** The utterance holds a word of the agent's domain, which alone never interrupts. */
  readonly hasDomainWord: boolean;
  /** "tenta de novo os que falharam". */
  readonly retriesFailed: boolean;
  /** "continua", "retoma", said about a parked transaction. */
  readonly resumes: boolean;
  readonly readings: readonly Reading[];
};
