import { describe, expect, it } from '@jest/globals';
import { CallLog } from './call-log.ts';
import { call, connect, startCounter } from './counter-domain.features.ts';
import { answerWith } from './domain-tool.ts';
import { FirstAnswers } from './first-answers.ts';

describe('what a server remembers has a bound', () => {
  it('keeps the newest calls and says how many are gone', () => {
    const log = new CallLog(2);
    for (const key of ['a', 'b', 'c']) {
      log.add({
        ...{ tool: 't', key, tenant: null, arguments: {}, argumentsDigest: '', at: '', effects: 1 },
        ...{ outcome: 'answered', fault: null },
      });
    }
    const report = log.report();
    expect(report.calls.map(({ key }) => key)).toEqual(['b', 'c']);
    expect(report).toMatchObject({ effects: 2, totalEffects: 3, dropped: 1 });
  });

  it('forgets the oldest keys first, and never one that still runs', async () => {
    const answers = new FirstAnswers(2);
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const keyed = { tool: 't', digest: 'd' };
    const running = answers.answer('running', keyed, async () => {
      await slow;
      return answerWith({});
    });
    for (const key of ['a', 'b', 'c'])
      await answers.answer(key, keyed, async () => await Promise.resolve(answerWith({ key })));
    expect(answers.recall('running')).toEqual({ kind: 'running', tool: 't' });
    expect(answers.recall('a')).toBeNull();
    expect(answers.recall('c')).toMatchObject({ kind: 'done', content: { key: 'c' } });
    release();
    expect(await running).toMatchObject({ kind: 'first' });
  });

  it('forgets a run that ended in an exception, so that the key is free again', async () => {
    const answers = new FirstAnswers();
    const keyed = { tool: 't', digest: 'd' };
    await expect(answers.answer('k', keyed, async () => await Promise.reject(new Error('bug')))).rejects.toThrow('bug');
    expect(answers.recall('k')).toBeNull();
  });

  it('closes the session that was used longest ago, and serves the others', async () => {
    const { url } = await startCounter({ maxSessions: 2 });
    const [first, second] = [await connect(url), await connect(url)];
    await call(first, 'read');
    await connect(url);
    await expect(call(second, 'read')).rejects.toThrow(/Session not found/);
    expect((await call(first, 'read')).structuredContent).toEqual({ total: 0 });
  });
});
