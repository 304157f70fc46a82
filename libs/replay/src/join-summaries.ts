import { mostUnreadable, type ReplaySummary } from './replay-streams.ts';

/**
 * What a replay of two neighbouring stretches of streams has shown, as if they had been replayed one after the other: the counts and the seconds of both, and the
 * first findings, at most `most`.
 */
export function joinSummaries<V>(one: ReplaySummary<V>, next: ReplaySummary<V>, most: number): ReplaySummary<V> {
  return {
    conversations: one.conversations + next.conversations,
    events: one.events + next.events,
    equal: one.equal + next.equal,
    differ: one.differ + next.differ,
    erased: one.erased + next.erased,
    unreadable: {
      count: one.unreadable.count + next.unreadable.count,
      first: [...one.unreadable.first, ...next.unreadable.first].slice(0, mostUnreadable),
    },
    findings: [...one.findings, ...next.findings].slice(0, most),
    seconds: one.seconds + next.seconds,
  };
}
