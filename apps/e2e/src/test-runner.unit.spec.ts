import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const checkout = path.resolve(import.meta.dirname, '../../..');
const runner = path.join(checkout, 'deploy/local/run-tests.mjs');

describe('`npm test`', () => {
  it('fails when no test ran at all, and still ends with its one line', () => {
    const { status, stdout } = runTests('unit', 'there-is-no-such-spec');
    expect(stdout).toBe('0 passed, 0 failed, 0 skipped\n');
    expect(status).toBe(1);
  }, 60_000);

  it('ends with the sum of what ran', () => {
    const { status, stdout } = runTests('unit', 'libs/contracts/src/ids');
    expect(stdout).toMatch(/^\d+ passed, 0 failed, 0 skipped\n$/);
    expect(status).toBe(0);
  }, 60_000);
});

function runTests(...words: readonly string[]): { status: number | null; stdout: string } {
  const script = `import(${JSON.stringify(runner)}).then(({ runTests }) => runTests(${JSON.stringify(words)}))`;
  const { status, stdout } = spawnSync(process.execPath, ['-e', script], { cwd: checkout, encoding: 'utf8' });
  return { status, stdout };
}
