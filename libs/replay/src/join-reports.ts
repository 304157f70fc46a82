import { type AgainstReport, type KindCount, kindsInOrder } from './against-report.ts';

/** The reports about two neighbouring stretches of conversations as one, with at most `most` of the conversations. */
export function joinReports(one: AgainstReport, next: AgainstReport, most: number): AgainstReport {
  return {
    kinds: kindsInOrder(joinKinds(one.kinds, next.kinds)),
    conversations: [...one.conversations, ...next.conversations].slice(0, most),
    decisions: one.decisions + next.decisions,
    decisionsThatDiffer: one.decisionsThatDiffer + next.decisionsThatDiffer,
  };
}

function joinKinds(one: readonly KindCount[], next: readonly KindCount[]): readonly KindCount[] {
  const counts = new Map(one.map((count) => [count.kind, count]));
  for (const { kind, meaning, conversations, decisions } of next) {
    const known = counts.get(kind);
    counts.set(kind, {
      ...{ kind, meaning },
      conversations: (known?.conversations ?? 0) + conversations,
      decisions: (known?.decisions ?? 0) + decisions,
    });
  }
  return [...counts.values()];
}
