import { type AggregateOutcome, type ResultItem, type StructuredError } from '@latch/contracts';

/** A named value as it is shown to the user. */
export type ShownValue = { readonly label: string; readonly value: unknown };

/**
 * One thing that a reply must say. The engine fills slots, `libs/presentation` writes the words; a slot holds facts only.
 * `toolLabel` is the tool's label in the agent's language, such as "o cancelamento do pedido".
 */
export type ReplySlot =
  | { readonly kind: 'fixed'; readonly text: string }
  /** Nothing was understood and nothing is open: says what the agent can do. */
  | { readonly kind: 'help'; readonly options: readonly string[] }
  | {
      readonly kind: 'ask_parameter';
      readonly toolLabel: string;
      readonly parameter: { readonly name: string; readonly label: string; readonly userPrompt: string | null };
      readonly why: 'missing' | 'invalid' | 'unclear';
      /** What was wrong with the value given, when `why` is `invalid`. */
      readonly detail: string | null;
    }
  | {
      readonly kind: 'ask_confirmation';
      readonly toolLabel: string;
      /** The question that the pre-validator wrote; null: build it from items and values. */
      readonly message: string | null;
      readonly items: readonly { readonly label: string }[];
      /** Those of the items that the validator expects to be refused, each with its reason. They are sent with the others. */
      readonly rejected: readonly { readonly label: string; readonly reason: string | null }[];
      readonly values: readonly ShownValue[];
      readonly why: 'first' | 'unclear' | 'amended' | 'renewed';
    }
  | {
      readonly kind: 'outcome';
      readonly toolLabel: string;
      readonly outcome: AggregateOutcome;
      readonly isReadOnly: boolean;
      /** What the call was about, where its items do not say it: "PED-1001". Empty for a read. */
      readonly values: readonly ShownValue[];
      readonly items: readonly ResultItem[];
      readonly data: unknown;
      readonly isEmpty: boolean;
      readonly note: string | null;
      readonly error: StructuredError | null;
      readonly secondaryError: StructuredError | null;
      /** Whether an unknown outcome is being asked about; false: a person has to. */
      readonly isBeingChecked: boolean;
      /** Whether some failed items may be tried again by the user's word. */
      readonly canRetry: boolean;
    }
  | { readonly kind: 'not_eligible'; readonly toolLabel: string; readonly reason: string | null }
  | { readonly kind: 'validation_failed'; readonly toolLabel: string; readonly error: StructuredError }
  | { readonly kind: 'cancelled'; readonly toolLabel: string }
  | { readonly kind: 'expired'; readonly toolLabel: string }
  /** A turn came while a call is running: nothing is started twice. */
  | { readonly kind: 'working'; readonly toolLabel: string }
  | { readonly kind: 'parked'; readonly toolLabel: string }
  | { readonly kind: 'offer_resume'; readonly toolLabel: string }
  | { readonly kind: 'resumed'; readonly toolLabel: string }
  | { readonly kind: 'nothing_to_confirm' }
  | { readonly kind: 'stale_confirmation' }
  /** Somebody else than the one who asked for it answered. */
  | { readonly kind: 'not_yours_to_confirm' }
  | { readonly kind: 'handoff' }
  | { readonly kind: 'inconsistent' };

/** The answer to one turn before it has words. Slots are said in this order. */
export type Reply = { readonly slots: readonly ReplySlot[] };
