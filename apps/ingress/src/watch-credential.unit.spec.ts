import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Principal, type Refusal } from '@latch/http';
import { watchCredential } from './watch-credential.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const ended: Refusal = { status: 401, code: 'auth.expired' };

function waiting(lapsed: Principal['lapsed'] = () => null): Parameters<typeof watchCredential>[0] {
  return {
    principal: { tenantId: 'acme', userId: 'u-1', scopes: ['speak'], lapsed },
    callerGone: new AbortController().signal,
  };
}

describe('a credential', () => {
  it('is looked at no more when what was begun with it is done', async () => {
    const watched = watchCredential(waiting(), () => Promise.resolve('done'));
    expect(jest.getTimerCount()).toBe(1);
    expect(await watched).toEqual({ value: 'done', lapse: null });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is looked at no more when what was begun with it has failed', async () => {
    const failed = watchCredential(waiting(), () => Promise.reject(new Error('a bug')));
    await expect(failed).rejects.toThrow('a bug');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('breaks off what was begun with it when it ends, and says why', async () => {
    const broken = watchCredential(
      waiting(() => ended),
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('broken off'))),
    );
    jest.advanceTimersByTime(1_000);
    expect(await broken).toEqual({ value: 'broken off', lapse: ended });
    expect(jest.getTimerCount()).toBe(0);
  });
});
