import { canonicalJson } from '@latch/contracts';

/** What is checked of a bundle, each with what it means when it fails. */
export const bundleChecks = {
  readable: 'The file is not an evidence bundle.',
  digest: 'Something in the file was changed after it was made.',
  identity: 'Parts of the file are not about the same transaction, conversation or tenant.',
  chain: 'The hash chain does not lead from the begin of the conversation to its head.',
  events: 'An event is not what the chain holds, or one that belongs to the transaction is missing.',
  capsules: 'A proposal, its yes and what was executed do not belong together.',
  receipts: 'What the executor recorded is not what was approved, or not what was told.',
  items: 'The outcome of the items is not what the tool said.',
  configurations: 'A configuration is not the one that its digest names, or is missing.',
  turns: 'What is shown of the chat is not what the events hold.',
  erased: 'What the file says of erased personal data, no event proves.',
  members: 'The file says more than this release can check.',
  seals: 'A seal does not cover the conversation, or its signature is not good.',
  unsealed:
    'No seal of the key that you gave signs the conversation up to its end. It may be too young: export it again a minute later.',
} as const satisfies Record<string, string>;

/** One of them. */
export type BundleCheck = keyof typeof bundleChecks;

/** Something that is wrong with a bundle. */
export type Finding = {
  readonly check: BundleCheck;
  /** Where: an event by its sequence, a call or a turn by its id. */
  readonly place: string;
  readonly detail: string;
};

/** A finding. */
export function finding(check: BundleCheck, place: string, detail: string): Finding {
  return { check, place, detail };
}

/** Whether two JSON values are equal, byte for byte in their canonical form. */
export function isSame(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

function textOf(value: unknown): string {
  return value === undefined ? '' : canonicalJson(value);
}

/** A problem, unless something holds. */
export function unless(holds: boolean, problem: string): readonly string[] {
  return holds ? [] : [problem];
}

/** A problem, when something is wrong. */
export function when(isWrong: boolean | undefined, problem: string): readonly string[] {
  return isWrong === true ? [problem] : [];
}
