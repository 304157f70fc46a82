import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { inCheckout } from './checkout.ts';

/** Says each package of the services that is loaded, at once: the command ends its process. */
const hooks = `import { writeSync } from 'node:fs';
  export async function load(url, context, next) {
    const [, name] = /node_modules[/]((?:@nestjs[/])?[^/]+)/.exec(url) ?? [];
    if (name !== undefined) writeSync(1, 'loaded ' + name + '\\n');
    return next(url, context);
  }`;

/** Runs a command, as it was built, to its end. @returns the packages that it loaded. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const asUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  const watch = asUrl(`import { register } from 'node:module'; register(${JSON.stringify(asUrl(hooks))});`);
  const main = inCheckout('apps/cli/dist/main.js');
  const { stdout } = spawnSync(process.execPath, ['--import', watch, main, ...args], { encoding: 'utf8' });
  return [...new Set([...stdout.matchAll(/^loaded (.+)$/gm)].map(([, name = '']) => name))];
}

it('who asks for help loads nothing of a service, and who checks evidence no TypeORM, Nest or Kafka', () => {
  expect([...loadedBy('--help')].sort()).toEqual(['commander', 'yaml', 'zod']);
  const checking = loadedBy('verify', 'no-such-file');
  expect(checking).toContain('pg');
  expect(checking.filter((name) => /typeorm|@nestjs|rxjs|kafkajs|undici/.test(name))).toEqual([]);
});
