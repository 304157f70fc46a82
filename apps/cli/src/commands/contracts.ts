import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inCheckout } from '../checkout.ts';
import { checkEvolution, releasesIn } from '../contracts/check-evolution.ts';
import { compareFiles, type FileDifference, filesIn } from '../contracts/compare-files.ts';
import { kafkaRightFiles } from '../contracts/kafka-right-files.ts';
import { keptFolders, publishedFiles, releasedFolder } from '../contracts/published-files.ts';
import { referencePages } from '../contracts/reference-pages.ts';
import { print } from '../terminal.ts';

/** A folder of generated files. What stands in its `kept` subfolders is not generated. */
type Generated = {
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
  readonly kept?: readonly string[];
};

const releases = inCheckout(path.join('contracts', releasedFolder));

function generatedFolders(): readonly Generated[] {
  return [
    { folder: 'contracts', files: publishedFiles(), kept: keptFolders },
    { folder: 'docs/reference/contracts', files: referencePages() },
    { folder: 'deploy/kafka', files: kafkaRightFiles() },
  ];
}

/** `latch contracts generate`: writes the published form of every contract and its reference page, and removes what no contract stands for. */
export function generateContracts(): void {
  const folders = generatedFolders();
  for (const { folder, files, kept } of folders) {
    const strays = compareFiles(inCheckout(folder), files, kept).filter(({ kind }) => kind === 'stray');
    for (const { file } of strays) rmSync(path.join(inCheckout(folder), file));
    writeFiles(inCheckout(folder), files);
  }
  print(`contracts: ${countOf(folders)} files written`);
}

/**
 * `latch contracts diff`: fails when the committed files are not what the sources say, and when a contract breaks somebody who relies on the last release.
 */
export function diffContracts(): void {
  const folders = generatedFolders();
  const differences = folders.flatMap(({ folder, files, kept }) =>
    compareFiles(inCheckout(folder), files, kept).map((difference) => ({ ...difference, folder })),
  );
  const breaking = checkEvolution(releases, publishedFiles());
  for (const difference of differences) print(lineOf(difference));
  if (differences.length > 0)
    print(`${differences.length} files differ. If the change is meant: npm run contracts:generate`);
  for (const { file, message } of breaking) print(`breaking change in contracts/${file}: ${message}`);
  if (differences.length + breaking.length > 0) process.exitCode = 1;
  else
    print(
      `contracts: ${countOf(folders)} files are what the sources say; nothing breaks ${releasesIn(releases).at(-1)}`,
    );
}

/** `latch contracts release <version>`: keeps the working contracts as a release, which later ones are compared with. A release is written once. */
export function releaseContracts(version: string): void {
  const folder = path.join(releases, version);
  const files = publishedFiles();
  const reason = whyNotReleasable(version, folder, files);
  if (reason !== null) {
    print(reason);
    process.exitCode = 1;
    return;
  }
  const kept = [...files].filter(
    ([file]) => /(schema|catalogue|errors)\.json$/.test(file) && !file.includes('/examples/'),
  );
  writeFiles(folder, new Map(kept));
  print(`contracts: ${kept.length} files released as ${version}`);
}

function whyNotReleasable(version: string, folder: string, files: ReadonlyMap<string, string>): string | null {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `${version} is no version: name one like 1.4.0`;
  if (filesIn(folder).some((file) => !file.startsWith('messages/'))) return `${version} is released already`;
  const [breaking] = checkEvolution(releases, files);
  return breaking ? `breaking change in ${breaking.file}: ${breaking.message}` : null;
}

function lineOf({ folder, file, kind, firstDifference }: FileDifference & { readonly folder: string }): string {
  return `${folder}/${file}: ${kind}${firstDifference === null ? '' : `; ${firstDifference}`}`;
}

function countOf(folders: readonly Generated[]): number {
  return folders.reduce((count, { files }) => count + files.size, 0);
}

function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}
