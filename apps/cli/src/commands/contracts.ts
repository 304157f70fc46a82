import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inCheckout } from '../checkout.ts';
import { compareFiles, filesIn } from '../contracts/compare-files.ts';
import { publishedFiles } from '../contracts/published-files.ts';
import { print } from '../terminal.ts';

const folder = inCheckout('contracts');

/** `latch contracts generate`: writes the published form of every contract into `contracts/` and removes what no contract stands for. */
export function generateContracts(): void {
  const files = publishedFiles();
  for (const stray of filesIn(folder).filter((file) => !files.has(file))) rmSync(path.join(folder, stray));
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  print(`contracts: ${files.size} files written`);
}

/** `latch contracts diff`: fails when the committed files are not what the sources say. */
export function diffContracts(): void {
  const files = publishedFiles();
  const differences = compareFiles(folder, files);
  if (differences.length === 0) return print(`contracts: ${files.size} files are what the sources say`);
  for (const { file, kind, firstDifference } of differences) {
    print(`contracts/${file}: ${kind}${firstDifference === null ? '' : `; ${firstDifference}`}`);
  }
  print(`${differences.length} files differ. If the change is meant: npm run contracts:generate`);
  process.exitCode = 1;
}
