import { type Admin } from 'kafkajs';

/** Where a group is to begin in one partition. */
export type StartingPoint = { readonly topic: string; readonly partition: number; readonly offset: string };

/**
 * The ends of the partitions in which a group has no offset yet. A group that starts at the latest is put there and the place is saved: left to itself a
 * client looks for "the latest" at each join, and a message that came during a rebalance before the first commit would be skipped.
 */
export async function unsavedEnds(
  admin: Admin,
  { groupId, topics }: { readonly groupId: string; readonly topics: readonly string[] },
): Promise<readonly StartingPoint[]> {
  const saved = await admin.fetchOffsets({ groupId, topics: [...topics] });
  const ends = await Promise.all(
    saved.map(async ({ topic, partitions }) => {
      const isSaved = new Set(partitions.filter(({ offset }) => Number(offset) >= 0).map(({ partition }) => partition));
      const offsets = await admin.fetchTopicOffsets(topic);
      return offsets
        .filter(({ partition }) => !isSaved.has(partition))
        .map(({ partition, high }) => ({ topic, partition, offset: high }));
    }),
  );
  return ends.flat();
}
