import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

const checkout = path.resolve(import.meta.dirname, '../../..');

describe('a property that fails', () => {
  const isSmall = fc.property(fc.nat(), (number) => number < 100);

  it('says how to have it again, with the counterexample', () => {
    expect(() => fc.assert(isSmall, { seed: 42 })).toThrow(
      /Counterexample: \[100\][^]*LATCH_TEST_SEED=42 npm test -- unit property-tests-can-be-repeated$/,
    );
  });

  it('says so too when it waits for something', async () => {
    const never = fc.asyncProperty(fc.nat(), () => Promise.reject(new Error('not today')));
    await expect(fc.assert(never, { seed: -7 })).rejects.toMatchObject({
      message: expect.stringMatching(/Counterexample: \[0\][^]*LATCH_TEST_SEED=-7 npm test/),
      cause: expect.objectContaining({ message: 'not today' }),
    });
  });
});

describe('LATCH_TEST_SEED', () => {
  it('gives every property the same random numbers in each run', () => {
    expect(numbersWith('42')).toEqual(numbersWith('42'));
    expect(numbersWith('42')).not.toEqual(numbersWith('43'));
  });

  it('leaves them new in each run when it is not set', () => {
    expect(numbersWith('')).not.toEqual(numbersWith(''));
  });

  it.each(['tuesday', '1.5', '4294967296'])('is refused when it is no integer of 32 bits: %s', (seed) => {
    expect(() => numbersWith(seed)).toThrow(`LATCH_TEST_SEED has to be an integer of 32 bits, and is: ${seed}`);
  });
});

/** What fast-check draws in a new process that has read the setup of the specs. */
function numbersWith(seed: string): unknown {
  const script = `
    import './jest.seed.mjs';
    import fc from 'fast-check';
    process.stdout.write(JSON.stringify(fc.sample(fc.integer(), 20)));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: checkout,
    encoding: 'utf8',
    env: { LATCH_TEST_SEED: seed },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
