import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PoolWork, WorkPool, type WorkPoolOptions } from './work-pool.ts';

function poolWith(more: Partial<WorkPoolOptions> = {}): { pool: WorkPool; told: string[] } {
  const told: string[] = [];
  const pool = new WorkPool({
    maxRunning: 2,
    maxWaiting: 4,
    onFull: () => told.push('full'),
    onRoom: () => told.push('room'),
    onError: (_error, id) => told.push(`error ${id}`),
    ...more,
  });
  return { pool, told };
}

function work(id: string, lane: string, run: () => Promise<void> = () => sleep(10)): PoolWork {
  return { id, lane, run };
}

/** Waits for what runs, and for what that lets begin. */
async function allDone(pool: WorkPool): Promise<void> {
  while (pool.load.running > 0) await pool.idle();
}

describe('WorkPool', () => {
  it('runs one lane in order and lanes side by side, never more than allowed', async () => {
    const { pool } = poolWith();
    const ended: string[] = [];
    let running = 0;
    let most = 0;
    const run = (id: string) => async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await sleep(id.endsWith('1') ? 20 : 1);
      running -= 1;
      ended.push(id);
    };
    for (const id of ['a1', 'a2', 'b1', 'b2', 'c1']) pool.add(work(id, id.slice(0, 1), run(id)));
    await allDone(pool);
    expect(ended.indexOf('a1')).toBeLessThan(ended.indexOf('a2'));
    expect(ended.indexOf('b1')).toBeLessThan(ended.indexOf('b2'));
    expect(ended).toHaveLength(5);
    expect(most).toBe(2);
  });

  it('takes an id on once while it waits or runs, and again afterwards', async () => {
    const { pool } = poolWith();
    expect(pool.add(work('a', 'x'))).toBe(true);
    expect(pool.add(work('a', 'x'))).toBe(false);
    await allDone(pool);
    expect(pool.add(work('a', 'x'))).toBe(true);
  });

  it('says when it is full and when there is room again, once each', async () => {
    const { pool, told } = poolWith({ maxRunning: 1, maxWaiting: 2 });
    for (const id of ['a', 'b', 'c', 'd']) pool.add(work(id, id));
    expect(told).toEqual(['full']);
    await allDone(pool);
    expect(told).toEqual(['full', 'room']);
  });

  it('goes on after work that rejects', async () => {
    const { pool, told } = poolWith({ maxRunning: 1 });
    let isDone = false;
    pool.add(work('a', 'x', () => Promise.reject(new Error('bug'))));
    pool.add(
      work('b', 'x', () => {
        isDone = true;
        return Promise.resolve();
      }),
    );
    await allDone(pool);
    expect(told).toEqual(['error a']);
    expect(isDone).toBe(true);
  });

  it('drains: starts nothing more, waits for what runs, and says when that takes too long', async () => {
    const { pool } = poolWith({ maxRunning: 1 });
    let started = 0;
    for (const id of ['a', 'b']) {
      pool.add(
        work(id, id, async () => {
          started += 1;
          await sleep(60);
        }),
      );
    }
    expect(await pool.drain(10)).toBe(false);
    expect(await pool.drain(20_000)).toBe(true);
    expect(started).toBe(1);
    expect(pool.add(work('c', 'c'))).toBe(false);
  });
});
