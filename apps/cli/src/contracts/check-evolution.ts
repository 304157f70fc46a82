import { isRecord } from '@latch/contracts';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from './compare-files.ts';
import { findBreakingChanges, findWidenings } from './find-breaking-changes.ts';
import { type Schema } from './schema-narrowings.ts';

/** One contract (or catalogue) whose working form breaks somebody who relies on the last release. */
export type EvolutionProblem = { readonly file: string; readonly message: string };

/**
 * Compares the working contracts with the last release under `releasedFolder` by the rules of SPEC-012 section 14. A release is a folder named after its version.
 *
 * @param working path below `contracts/` -> text, as `publishedFiles` makes it.
 * @returns what breaks, each with a sentence that says which rule is broken and what to do; empty when nothing does, or when nothing was released yet.
 */
export function checkEvolution(releasedFolder: string, working: ReadonlyMap<string, string>): readonly EvolutionProblem[] {
  const last = releasesIn(releasedFolder).at(-1);
  if (last === undefined) return [];
  const folder = path.join(releasedFolder, last);
  return filesIn(folder)
    .filter((file) => !file.startsWith('messages/'))
    .flatMap((file) => {
      const versions = { released: readFileSync(path.join(folder, file), 'utf8'), working: working.get(file) };
      const changelog = working.get(path.join(path.dirname(file), 'CHANGELOG.md')) ?? '';
      const untold = isToldSince(last, changelog) ? [] : untoldWidenings(file, versions, last);
      return [...problemsOf(file, versions), ...untold].map((message) => ({ file, message }));
    });
}

/** Whether the changelog of a contract, newest first, has an entry of a later release than the last. */
function isToldSince(last: string, changelog: string): boolean {
  const [newest] = [...changelog.matchAll(/^## (.+)$/gm)].map(([, release]) => release);
  return newest !== undefined && newest !== last;
}

/** What lets more in breaks nobody who writes; who reads may refuse it, and must be told. */
function untoldWidenings(file: string, { released, working }: Versions, last: string): readonly string[] {
  if (working === undefined || !file.endsWith('schema.json')) return [];
  const widened = findWidenings(parse(released), parse(working)).map((field) => (field === '' ? 'the contract' : field));
  if (widened.length === 0) return [];
  return [
    `${widened.join(', ')}: more is accepted than in ${last}. That is allowed within a major (SPEC-012 section 14), but not silently, since a consumer of ${last} may refuse it: say it in libs/contracts/src/contract-changes.ts, and upgrade consumers before producers; or publish a new major.`,
  ];
}

/** The released versions, oldest first. */
export function releasesIn(releasedFolder: string): readonly string[] {
  return readdirSync(releasedFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d+\.\d+\.\d+$/.test(entry.name))
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

type Versions = { readonly released: string; readonly working: string | undefined };

function problemsOf(file: string, { released, working }: Versions): readonly string[] {
  if (working === undefined) {
    return [
      `${file} is gone. A published major stays published while anybody may speak it (SPEC-012 section 14): put it back beside the new major.`,
    ];
  }
  if (!file.endsWith('schema.json')) return goneEntries(parse(released), parse(working));
  return findBreakingChanges(parse(released), parse(working)).map(({ message }) => message);
}

function parse(text: string): Schema {
  const value: unknown = JSON.parse(text);
  return isRecord(value) ? value : {};
}

/** Event types and codes are what consumers match on: one that is gone is a removed field. */
function goneEntries(released: Schema, working: Schema): readonly string[] {
  return Object.keys(released).flatMap((list) => {
    const after = new Set(namesIn(working[list]));
    return namesIn(released[list])
      .filter((name) => !after.has(name))
      .map(
        (name) =>
          `${name} is gone. Consumers match on it, so it cannot be removed or renamed (SPEC-012 section 14): put it back, and say in its meaning that it is no longer emitted.`,
      );
  });
}

function namesIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isRecord).flatMap(({ type, code }) => {
    const name = type ?? code;
    return typeof name === 'string' ? [name] : [];
  });
}
