import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type OperatorSystem, startOperatorSystem } from './operator-system.ts';

jest.setTimeout(180_000);

const checkout = path.resolve(import.meta.dirname, '../../..');
const page = readFileSync(path.join(checkout, 'docs/tutorials/your-first-transaction.md'), 'utf8');

/** Commands that follow each other, and what the page says that they print: `…` stands for what differs each time. */
type Step = { readonly commands: readonly string[]; readonly shown: string };

/** Fetching the repository and starting are what the test itself has done. */
const doneByTheTest: readonly string[] = ['git clone REPOSITORY latch', 'cd latch', 'npm start'];

const steps = stepsOf(page);

/** Each block of commands, with the block of text right behind it. */
function stepsOf(text: string): readonly Step[] {
  const blocks = [...text.matchAll(/```sh\n([^]*?)```(?:\n\n```text\n([^]*?)```)?/g)];
  return blocks
    .map(([, commands = '', shown = '']) => ({ commands: commands.trim().split('\n'), shown: shown.trimEnd() }))
    .filter(({ commands }) => !commands.every((command) => doneByTheTest.includes(command)));
}

let system: OperatorSystem;

beforeAll(async () => {
  // As `npm start` gives it: nothing is signed unless somebody says with what.
  system = await startOperatorSystem({ LATCH_SIGNING_KEY: '' });
  mkdirSync(path.join(system.folder, 'deploy'));
  symlinkSync('../config', path.join(system.folder, 'deploy/config'));
});
afterAll(() => system?.stop());

/** The variables that commands have set so far. */
const variables: string[] = [];

/** Runs a command as somebody types it into a terminal, in a folder with the same configuration. `npm run latch` is the program that it starts. */
function type(command: string): { readonly code: number | null; readonly said: string } {
  const main = `${process.execPath} ${path.join(checkout, 'apps/cli/dist/main.js')}`;
  const typed = command
    .replace(/npm run latch (.*?)(?: --(?= |$)|$)/, `${main} $1`)
    .replaceAll('http://127.0.0.1:9000', system.ingressUrl);
  const isAssignment = /^[A-Z]+=/.test(command);
  const script = [...variables, typed, ...(isAssignment ? ['test -n "$TRANSACTION"'] : [])].join('\n');
  if (isAssignment) variables.push(typed);
  const env = { ...system.environment };
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: system.folder, env, encoding: 'utf8' });
  return { code: status, said: stdout + stderr };
}

describe('the tutorial', () => {
  it('shows all its commands in blocks that are run here', () => {
    expect(steps.flatMap(({ commands }) => commands).length).toBeGreaterThan(12);
    expect(
      [...page.matchAll(/```(\w*)\n/g)].map(([, kind]) => kind).filter((kind) => !/^(sh|text)?$/.test(kind ?? '')),
    ).toEqual([]);
  });

  it.each(steps.map((step) => [step.commands.join(' ; '), step] as const))('%s', (_, { commands, shown }) => {
    let said = '';
    for (const command of commands) {
      const ended = type(command);
      if (ended.code !== 0) throw new Error(`"${command}" ended with ${ended.code}: ${ended.said}`);
      said += ended.said;
    }
    for (const line of shown.split('\n')) expectShown(said, line);
  });
});

/** A line of the page, of which every part between two `…` stands in one line of what was said. */
function expectShown(said: string, line: string): void {
  const parts = line.split('…').map((part) => part.trim());
  const isLine = (heard: string): boolean => parts.every((part) => heard.includes(part));
  if (!said.split('\n').some(isLine)) expect(said).toContain(line);
}
