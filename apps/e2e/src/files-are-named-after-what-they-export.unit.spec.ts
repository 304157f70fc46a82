import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const checkout = path.resolve(import.meta.dirname, '../../..');

/** The names that Nest knows a role by, and the entry points: every room has one of the same name. */
const roles = /\.(module|controller|consumer|entity|filter)$/;
const entryPoints: readonly string[] = ['index', 'main', 'start', 'config'];
const elsewhere = /\/(dist|fixtures|examples|migrations)\/|\.(spec|features|bench|d)\.ts$/;

/** Our sources, without specs, what they share, and what is numbered or dated. */
function sources(): readonly string[] {
  return ['apps', 'libs'].flatMap((kind) =>
    readdirSync(path.join(checkout, kind), { recursive: true, encoding: 'utf8' })
      .map((file) => path.posix.join(kind, file))
      .filter((file) => /^\w+\/[\w-]+\/src\/.*\.ts$/.test(file) && !elsewhere.test(file)),
  );
}

/** What a file exports: values, and types. */
function exportsOf(text: string): { readonly values: readonly string[]; readonly types: readonly string[] } {
  const named = (what: string): readonly string[] => [
    ...new Set([...text.matchAll(new RegExp(`^export (?:${what}) (\\w+)`, 'gm'))].map(([, name = '']) => name)),
  ];
  return {
    values: named('(?:async )?function\\*?|(?:abstract )?class|const'),
    types: named('type|interface'),
  };
}

function wordsOf(name: string): readonly string[] {
  const parted = name.replace(/OpenApi/gi, 'Openapi').replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2-');
  return parted.toLowerCase().split('-');
}

/** The same word, in whatever form: `keep` and `Keeping`, `transaction` and `Transactions`. */
function isSameWord(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const stem = short.slice(0, Math.max(4, short.length - 1));
  return short === long || (stem.length >= 4 && long.startsWith(stem) && long.length - stem.length <= 5);
}

/** What is wrong with the name of a file; undefined when it is named after its one export and that export's types, or exports several things. */
function complaintOf(file: string, text: string): string | undefined {
  const [name = '', variant] = path.basename(file, '.ts').replace(roles, '').split('.'); // lexicon.es is a variant of lexicon
  const { values, types } = exportsOf(text);
  const isOne = values.length === 1 || (values.length === 0 && types.length === 1);
  if (entryPoints.includes(name) || variant !== undefined || !isOne) return undefined;
  const words = [...values, ...types].flatMap(wordsOf);
  const missing = wordsOf(name).filter((word) => !words.some((its) => isSameWord(word, its)));
  return missing.length === 0
    ? undefined
    : `${file} exports ${values[0] ?? types[0]}: there is no "${missing.join(' ')}"`;
}

describe('a file of one export', () => {
  it.each([
    ['libs/x/src/read-money.ts', 'export function readCents(): void {}', /no "money"/],
    ['libs/x/src/is-empty.ts', 'export type Options = {};\nexport const saysNothing = 1;', /no "is empty"/],
    ['libs/x/src/kafka-log.ts', 'export type Log = {};\nexport type Other = {};', undefined],
    ['libs/x/src/keep-partitions.ts', 'export function startKeepingPartitions(): void {}', undefined],
    ['libs/x/src/answers.consumer.ts', 'export class AnswersConsumer {}', undefined],
    ['libs/x/src/lexicon.es.ts', 'export const es = {};', undefined],
  ])('%s is judged by its words', (file, text, complaint) => {
    if (complaint === undefined) expect(complaintOf(file, text)).toBeUndefined();
    else expect(complaintOf(file, text)).toMatch(complaint);
  });

  it('is named after it (STYLE, rule 8)', () => {
    const files = sources();
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap((file) => complaintOf(file, readFileSync(path.join(checkout, file), 'utf8')) ?? [])).toEqual(
      [],
    );
  });
});
