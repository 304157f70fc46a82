import { describe, expect, it } from '@jest/globals';
import { ReplyHub } from './reply-hub.ts';

const never = new AbortController().signal;
const patient = { timeoutMs: 60_000, signal: never };
const response = { text: 'a' };

describe('a caller in the hub', () => {
  it('gets the reply to its turn and to no other', async () => {
    const hub = new ReplyHub({ maxWaiters: 10 });
    const one = hub.wait({ turnId: 't1', bodyDigest: 'a' }, patient);
    const two = hub.wait({ turnId: 't2', bodyDigest: 'a' }, { timeoutMs: 20, signal: never });
    hub.deliver({ kind: 'answered', turnId: 't1', bodyDigest: 'a', response });
    expect(await one).toEqual({ kind: 'answered', response });
    expect(await two).toEqual({ kind: 'late' });
    expect(hub.size).toBe(0);
  });

  it('gets the answer together with every other caller of the same body', async () => {
    const hub = new ReplyHub({ maxWaiters: 10 });
    const both = [
      hub.wait({ turnId: 't', bodyDigest: 'a' }, patient),
      hub.wait({ turnId: 't', bodyDigest: 'a' }, patient),
    ];
    hub.deliver({ kind: 'answered', turnId: 't', bodyDigest: 'a', response });
    expect(await Promise.all(both)).toEqual([
      { kind: 'answered', response },
      { kind: 'answered', response },
    ]);
  });

  it('does not get what belongs to another body under the same message id', async () => {
    const hub = new ReplyHub({ maxWaiters: 10 });
    const first = hub.wait({ turnId: 't', bodyDigest: 'a' }, patient);
    const other = hub.wait({ turnId: 't', bodyDigest: 'b' }, patient);
    hub.deliver({ kind: 'conflict', turnId: 't', bodyDigest: 'b' });
    expect(await other).toEqual({ kind: 'conflict' });
    hub.deliver({ kind: 'answered', turnId: 't', bodyDigest: 'a', response });
    expect(await first).toEqual({ kind: 'answered', response });
  });

  it('gets a reply that names no body', async () => {
    const hub = new ReplyHub({ maxWaiters: 10 });
    const waiting = hub.wait({ turnId: 't', bodyDigest: 'a' }, patient);
    hub.deliver({ kind: 'answered', turnId: 't', bodyDigest: undefined, response });
    expect(await waiting).toEqual({ kind: 'answered', response });
  });

  it('is let go when it goes away, also when it had gone before', async () => {
    const hub = new ReplyHub({ maxWaiters: 10 });
    const leaving = new AbortController();
    const waiting = hub.wait({ turnId: 't', bodyDigest: 'a' }, { ...patient, signal: leaving.signal });
    leaving.abort();
    expect(await waiting).toEqual({ kind: 'gone' });
    expect(await hub.wait({ turnId: 't', bodyDigest: 'a' }, { ...patient, signal: leaving.signal })).toEqual({
      kind: 'gone',
    });
    expect(hub.size).toBe(0);
  });

  it('finds no place when the hub is full, and one when somebody left', async () => {
    const hub = new ReplyHub({ maxWaiters: 1 });
    const first = hub.wait({ turnId: 't1', bodyDigest: 'a' }, patient);
    expect(hub.wait({ turnId: 't2', bodyDigest: 'a' }, patient)).toBeUndefined();
    hub.deliver({ kind: 'answered', turnId: 't1', bodyDigest: 'a', response });
    await first;
    const next = hub.wait({ turnId: 't2', bodyDigest: 'a' }, { timeoutMs: 1, signal: never });
    expect(await next).toEqual({ kind: 'late' });
  });

  it('is told when the service stops, also when it comes while it stops', async () => {
    const hub = new ReplyHub({ maxWaiters: 10 });
    const waiting = hub.wait({ turnId: 't', bodyDigest: 'a' }, patient);
    hub.drain();
    expect(await waiting).toEqual({ kind: 'draining' });
    expect(await hub.wait({ turnId: 't', bodyDigest: 'a' }, patient)).toEqual({ kind: 'draining' });
    expect(hub.size).toBe(0);
  });

  it('leaves nothing behind over many turns', async () => {
    const hub = new ReplyHub({ maxWaiters: 1_000 });
    const waits = Array.from({ length: 1_000 }, (_, turn) =>
      hub.wait({ turnId: `t${turn % 100}`, bodyDigest: 'a' }, patient),
    );
    expect(hub.size).toBe(1_000);
    for (let turn = 0; turn < 100; turn += 1)
      hub.deliver({ kind: 'answered', turnId: `t${turn}`, bodyDigest: 'a', response });
    await Promise.all(waits);
    expect(hub.size).toBe(0);
  });

  it('hears of the calls of its own conversation, and of none when it has stopped waiting', async () => {
    const hub = new ReplyHub({ maxWaiters: 10 });
    const told: unknown[] = [];
    const progress = { conversationKey: 'a:b:c', tell: (said: unknown) => void told.push(said) };
    const waiting = hub.wait({ turnId: 't', bodyDigest: 'a' }, { ...patient, progress });
    hub.tellProgress('a:b:d', { progress: 1 });
    hub.tellProgress('a:b:c', { progress: 2 });
    hub.deliver({ kind: 'answered', turnId: 't', bodyDigest: 'a', response });
    await waiting;
    hub.tellProgress('a:b:c', { progress: 3 });
    expect(told).toEqual([{ progress: 2 }]);
    expect(hub.isWatched('a:b:c')).toBe(false);
  });
});
