import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readEnvironment } from '@latch/config';
import { type Command } from 'commander';
import { inCheckout } from './checkout.ts';
import { cliSettings } from './config.ts';
import { buildProgram } from './program.ts';

const page = readFileSync(inCheckout('docs/reference/command-line.md'), 'utf8');
const defaults = readEnvironment(cliSettings, {});

describe('the page about the command line', () => {
  it('names every command', () => {
    if (!defaults.ok) throw new Error(defaults.error);
    const program = buildProgram(defaults.value);
    expect(namesIn(program, 'latch').filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });

  it('names every setting', () => {
    expect(Object.keys(cliSettings.shape).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

/** The commands that do something, with the names of their groups. */
function namesIn(command: Command, path: string): string[] {
  return command.commands.flatMap((child) => {
    const name = `${path} ${child.name()}`;
    return child.commands.length > 0 ? namesIn(child, name) : [name];
  });
}
