import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

const checkout = path.resolve(import.meta.dirname, '../../..');

/** What a room must not do, said as a file of it that does. The lint has to see each; it passes silently when Nx has no project graph. */
const forbidden = {
  'the pure core imports an npm package': {
    file: 'libs/transaction/src/reply.ts',
    code: "export { v7 } from 'uuid';",
    rule: '@nx/enforce-module-boundaries',
  },
  'the pure core imports a Node built-in': {
    file: 'libs/transaction/src/reply.ts',
    code: "export { readFileSync } from 'node:fs';",
    rule: 'no-restricted-imports',
  },
  'the pure core imports an adapter': {
    file: 'libs/transaction/src/reply.ts',
    code: "export { openEventStore } from '@latch/event-store';",
    rule: '@nx/enforce-module-boundaries',
  },
  'the contracts import another lib': {
    file: 'libs/contracts/src/topics.ts',
    code: "export { readEnvironment } from '@latch/config';",
    rule: '@nx/enforce-module-boundaries',
  },
  'an app imports another app': {
    file: 'apps/orchestrator/src/main.ts',
    code: "export { startIngress } from '@latch/ingress';",
    rule: '@nx/enforce-module-boundaries',
  },
  'an app imports a lib by its path': {
    file: 'apps/orchestrator/src/main.ts',
    code: "export { topics } from '../../../libs/contracts/src/topics.ts';",
    rule: '@nx/enforce-module-boundaries',
  },
  'product code imports the testing lib': {
    file: 'apps/orchestrator/src/main.ts',
    code: "export { given } from '@latch/testing';",
    rule: '@nx/enforce-module-boundaries',
  },
  'an app reads the environment itself': {
    file: 'apps/orchestrator/src/main.ts',
    code: 'export const home: unknown = process.env;',
    rule: 'no-restricted-syntax',
  },
};

const allowed = {
  'the pure core imports the contracts': {
    file: 'libs/transaction/src/reply.ts',
    code: "export { topics } from '@latch/contracts';",
  },
  'an app imports an adapter': {
    file: 'apps/orchestrator/src/main.ts',
    code: "export { openEventStore } from '@latch/event-store';",
  },
};

type Verdict = { readonly rules: readonly (string | null)[] };

let verdicts: Readonly<Record<string, Verdict>>;

beforeAll(() => {
  verdicts = lint({ ...forbidden, ...allowed });
}, 60_000);

describe('the import boundaries', () => {
  it.each(Object.entries(forbidden))('bite when %s', (name, { rule }) => {
    expect(verdicts[name]?.rules).toContain(rule);
  });

  it.each(Object.keys(allowed))('say nothing when %s', (name) => {
    expect(verdicts[name]?.rules).toEqual([]);
  });
});

/** Lints each text as if it stood in its file, with the real configuration, in a process of its own: ESLint does not run inside Jest's module system. */
function lint(cases: Readonly<Record<string, { file: string; code: string }>>): Record<string, Verdict> {
  const script = `
    import { ESLint } from 'eslint';
    const eslint = new ESLint({ cwd: ${JSON.stringify(checkout)} });
    const verdicts = {};
    for (const [name, { file, code }] of Object.entries(${JSON.stringify(cases)})) {
      const [result] = await eslint.lintText(code + '\\n', { filePath: file });
      verdicts[name] = { rules: result.messages.map((message) => message.ruleId) };
    }
    process.stdout.write(JSON.stringify(verdicts));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: checkout,
    encoding: 'utf8',
  });
  return JSON.parse(output);
}
