import { platformVersion } from '@latch/contracts';
import { checkHistories } from '../histories/check-histories.ts';
import { readHistoryFolder, recordedReleases, recordHistories } from '../histories/history-folders.ts';
import { print } from '../terminal.ts';

/** `latch histories record`: plays every scripted conversation with the engine as it is, and keeps them as the histories of this release. */
export async function recordHistoriesOfRelease(): Promise<void> {
  print(`histories: ${await recordHistories()} recorded in contracts/histories/${platformVersion}`);
}

/** `latch histories check`: replays the histories of every release; fails when one does not fold or is decided otherwise. */
export function checkRecordedHistories(): void {
  const folders = recordedReleases().map(readHistoryFolder);
  const problems = folders.flatMap(checkHistories);
  problems.forEach((problem) => print(problem));
  if (problems.length > 0) process.exitCode = 1;
  else {
    const counts = folders.map(({ release, histories }) => `${release} (${histories.length})`);
    print(`histories: every decision and every state as recorded: ${counts.join(', ')}`);
  }
}
