import { type ReplaySummary } from '@latch/replay';

/** What a replay says to people of conversations that it could not look at. */
export function unreadableLines({ count, first }: ReplaySummary<unknown>['unreadable']): readonly string[] {
  if (count === 0) return [];
  const more = count > first.length ? [`and ${count - first.length} more`] : [];
  return [
    ...first.map(({ conversationKey, error }) => `${conversationKey} cannot be read (${error})`),
    ...more,
    `${count} cannot be read: somebody altered an event of each, and latch verify names it; where it finds nothing, this release trips over a whole one`,
  ];
}
