import { type StoredStream } from '@latch/event-store';
import { type AgainstVerdict, type StepDifference } from './redecide-against.ts';
import { type DifferenceKind, differenceKinds } from './step-aspects.ts';

/** How often a kind of difference was found. */
export type KindCount = {
  readonly kind: DifferenceKind;
  /** What it means. */
  readonly meaning: string;
  readonly conversations: number;
  readonly decisions: number;
};

/** A conversation that would have gone otherwise, with the decisions that would. */
export type ConversationDifference = {
  readonly conversationKey: string;
  readonly differences: readonly StepDifference[];
};

/** What another configuration would have changed. */
export type AgainstReport = {
  /** The most frequent first; of those that are as frequent, the weightiest. */
  readonly kinds: readonly KindCount[];
  /** The first conversations that would have gone otherwise. */
  readonly conversations: readonly ConversationDifference[];
  readonly decisions: number;
  readonly decisionsThatDiffer: number;
};

/** Gathers the report while the conversations go by; only counts and the first `most` conversations are kept. */
export function againstReport(most: number): {
  add(stream: StoredStream, verdict: AgainstVerdict): void;
  report(): AgainstReport;
} {
  const counts = new Map<DifferenceKind, { conversations: number; decisions: number }>();
  const conversations: ConversationDifference[] = [];
  let [decisions, differing] = [0, 0];
  return {
    add: (stream, verdict) => {
      if (verdict.kind === 'erased') return;
      decisions += verdict.steps;
      if (verdict.kind === 'equal') return;
      differing += verdict.differences.length;
      count(counts, verdict.differences);
      const { conversationKey } = stream.conversation;
      if (conversations.length < most) conversations.push({ conversationKey, differences: verdict.differences });
    },
    report: () => ({ kinds: kindsInOrder(countsIn(counts)), conversations, decisions, decisionsThatDiffer: differing }),
  };
}

function count(
  counts: Map<DifferenceKind, { conversations: number; decisions: number }>,
  differences: readonly StepDifference[],
): void {
  for (const { kind } of differences) entryOf(counts, kind).decisions += 1;
  for (const kind of new Set(differences.map((one) => one.kind))) entryOf(counts, kind).conversations += 1;
}

function entryOf(
  counts: Map<DifferenceKind, { conversations: number; decisions: number }>,
  kind: DifferenceKind,
): { conversations: number; decisions: number } {
  const entry = counts.get(kind) ?? { conversations: 0, decisions: 0 };
  counts.set(kind, entry);
  return entry;
}

function countsIn(
  counts: ReadonlyMap<DifferenceKind, { readonly conversations: number; readonly decisions: number }>,
): readonly KindCount[] {
  return [...counts].map(([kind, found]) => ({ kind, meaning: differenceKinds[kind], ...found }));
}

const weightiestFirst = Object.keys(differenceKinds);

/** The most frequent kinds first. Those that are as frequent have an order too that does not depend on which was met first. */
export function kindsInOrder(kinds: readonly KindCount[]): readonly KindCount[] {
  return [...kinds].sort(
    (a, b) => b.conversations - a.conversations || weightiestFirst.indexOf(a.kind) - weightiestFirst.indexOf(b.kind),
  );
}
