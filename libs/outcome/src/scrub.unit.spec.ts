import { describe, expect, it } from '@jest/globals';
import { processorMs } from '@latch/testing';
import { scrub } from './scrub.ts';

describe('a stack trace does not leave the process', () => {
  it.each([
    [
      'JavaScript',
      'Order is locked\n    at cancel (/srv/app/orders.js:10:3)\n    at async run (node:internal:1:1)',
      'Order is locked',
    ],
    [
      'Java',
      'java.lang.IllegalStateException: locked\n\tat com.shop.Orders.cancel(Orders.java:10)\nCaused by: x',
      'java.lang.IllegalStateException: locked',
    ],
    [
      'Python',
      'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in cancel\n    raise X\nValueError: locked',
      'ValueError: locked',
    ],
    ['Go', 'panic: locked\ngoroutine 1 [running]:\nmain.go:3', 'panic: locked'],
    ['PHP', 'locked\nStack trace:\n#0 /srv/a.php(3): b()', 'locked'],
  ])('%s', (_, words, message) => {
    expect(scrub(words)).toBe(message);
  });

  it('keeps a sentence that merely contains "at"', () => {
    expect(scrub('Not available at this store.\nCome back at 10.')).toBe(
      'Not available at this store. Come back at 10.',
    );
  });
});

describe('a secret does not leave the process', () => {
  it.each([
    ['Authorization: Bearer abc.def-ghi123', 'abc.def-ghi123'],
    ['password=hunter2secret', 'hunter2secret'],
    ['{"api_key": "0123456789abcdef"}', '0123456789abcdef'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sflKxwRJSMeKKF2QT4', 'eyJhbGciOiJIUzI1NiJ9'],
    ['postgres://latch:s3cret@db:5432/x failed', 's3cret'],
    ['key AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
    ['using sk-proj-abcdefghijklmnop', 'abcdefghijklmnop'],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'abcdefghijklmnop'],
    ['-----BEGIN PRIVATE KEY----- MIIEvQIBADAN', 'MIIEvQIBADAN'],
    ['client_secret=abc123', 'abc123'],
    ['senha: minhaSenha', 'minhaSenha'],
  ])('%s', (words, secret) => {
    expect(scrub(words)).not.toContain(secret);
    expect(scrub(words)).toContain('[redacted]');
  });

  it('keeps the words around it', () => {
    expect(scrub('login failed: password=abc123, user 7')).toBe('login failed: password=[redacted], user 7');
  });
});

describe('the form of a passed-on message', () => {
  it('has no control characters and no directional marks', () => {
    expect(scrub('a\u0000b\u001b[31m\u202ec\tz')).toBe('a b [31m c z');
  });

  it('is cut at 500 characters and never inside a character', () => {
    const cut = scrub('😀'.repeat(400));
    expect(cut.length).toBeLessThanOrEqual(500);
    expect(() => encodeURIComponent(cut)).not.toThrow();
  });

  it('is made in linear time', () => {
    const texts = ['a', ' ', 'at ', 'token=', 'eyJ', '-----BEGIN ', 'x://y:', 'password'].map((piece) =>
      piece.repeat(100_000),
    );
    expect(processorMs(() => texts.map((text) => scrub(text)))).toBeLessThan(500);
  });
});
