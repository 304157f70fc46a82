import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { echoesIn, tellTalesIn } from '@latch/testing';
import { openApiDocument } from './openapi.ts';
import { openTestConsole, type TestConsole } from './test-console.features.ts';

/** Invariant I16 for refusals and failures: what a caller put into path, query, header or body by mistake comes back in no error, and stands in no log. */
describe('an error of console', () => {
  let console: TestConsole;
  beforeAll(async () => {
    console = await openTestConsole();
  });
  afterAll(() => console.close());

  it('repeats nothing of a person or a credential, wherever the caller put it', async () => {
    const { refused, echoes } = await echoesIn({ url: console.url, document: openApiDocument() });
    expect(echoes).toEqual([]);
    expect(Object.keys(refused)).toEqual(expect.arrayContaining(['404', '422']));
    expect(tellTalesIn(console.logLines.join('\n'))).toEqual([]);
  }, 120_000);
});

describe('an error of console over a store that fails with the values in its words', () => {
  let console: TestConsole;
  beforeAll(async () => {
    const fail = (...asked: readonly unknown[]): Promise<never> =>
      Promise.reject(new Error(`duplicate key value (${JSON.stringify(asked)}) violates a constraint`));
    console = await openTestConsole({
      store: {
        ...{ readConversation: fail, readEvents: fail, readTurn: fail, readTurns: fail, readTransaction: fail },
        ...{ listTransactions: fail, readConfigVersion: fail, streams: { one: fail } },
      },
    });
  });
  afterAll(() => console.close());

  it('repeats nothing either, and the log says what failed without it', async () => {
    const { refused, echoes } = await echoesIn({ url: console.url, document: openApiDocument() });
    expect(echoes).toEqual([]);
    expect(refused[500]).toBeGreaterThan(10);
    const log = console.logLines.join('\n');
    expect(log).toContain('violates a constraint');
    expect(tellTalesIn(log)).toEqual([]);
  }, 120_000);
});
