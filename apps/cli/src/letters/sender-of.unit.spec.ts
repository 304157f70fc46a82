import { describe, expect, it } from '@jest/globals';
import { senderOf } from './sender-of.ts';

function nameless(): string {
  throw new Error('ENOENT: no such file or directory, uv_os_get_passwd');
}

describe('who sends letters again', () => {
  it('is who --by names, and else the user of the machine', () => {
    expect(senderOf(' ana ', nameless)).toBe('ana');
    expect(senderOf('a'.repeat(100), nameless)).toHaveLength(100);
    expect(senderOf(undefined, () => 'root')).toBe('root');
  });

  it.each([
    ['nobody', ''],
    ['a blank', '  '],
    ['a text', 'a'.repeat(101)],
  ])('is not %s', (_what, by) => {
    expect(() => senderOf(by)).toThrow('--by must be a name of 1 to 100 characters');
  });

  it('is asked for where the machine has no name for its user', () => {
    expect(() => senderOf(undefined, nameless)).toThrow('say with --by');
  });
});
