import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { confirmSending, type Terminal } from './confirm-sending.ts';

/** A terminal, and what is typed into it; null: its end. */
function terminal(typed: string | null): Terminal {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  if (typed === null) input.end();
  else input.write(typed);
  return { input, output: new PassThrough() };
}

describe('sending more than one message', () => {
  it.each([
    ['yes\n', true],
    [' YES \n', true],
    ['no\n', false],
    ['y\n', false],
    ['\n', false],
    [null, false],
  ])('is confirmed by %j: %s', async (typed, isConfirmed) => {
    expect(await confirmSending(2, {}, terminal(typed))).toBe(isConfirmed);
  });

  it('is not asked where --yes says it, and needs it where nobody can be asked', async () => {
    const nobody = { input: new PassThrough(), output: new PassThrough() };
    expect(await confirmSending(2, { yes: true }, nobody)).toBe(true);
    expect(await confirmSending(1, {}, nobody)).toBe(true);
    await expect(confirmSending(2, {}, nobody)).rejects.toThrow('--yes');
    await expect(confirmSending(2, { json: true }, terminal('yes\n'))).rejects.toThrow('--yes');
  });
});
