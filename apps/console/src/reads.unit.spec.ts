import { afterEach, describe, expect, it } from '@jest/globals';
import { RetryableError } from '@latch/contracts';
import { type StoreReads } from '@latch/read-api';
import { openTestConsole, storeOf, type TestConsole, transaction } from './test-console.features.ts';

const key = encodeURIComponent('acme:retail_orders:s-1');
const opened: TestConsole[] = [];

async function get(
  path: string,
  store: Partial<StoreReads> = storeOf({ said: 'oi', answered: 'Olá!' }),
): Promise<Response> {
  const console = await openTestConsole({ store });
  opened.push(console);
  return console.get(path);
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((console) => console.close()));
});

describe('every read of a tenant', () => {
  const paths = ['transactions', 'transactions/t-1', 'overview', 'alarms', 'dead-letters', 'signals/stream'];

  it.each(paths)('must name the tenant: /v1/%s', async (path) => {
    const answer = await get(`/v1/${path}`);
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(await answer.json()).toMatchObject({ code: 'request.invalid', errors: [{ path: 'query.tenant_id' }] });
  });

  it.each(paths)('refuses a misspelled filter: /v1/%s', async (path) => {
    const answer = await get(`/v1/${path}?tenant_id=acme&statsu=x`);
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'request.invalid' }]);
  });

  it.each([
    ['transactions?tenant_id=rival', 200, []],
    ['transactions/t-1?tenant_id=rival', 404, { code: 'transaction.unknown' }],
    ['conversations/rival%3Aretail_orders%3As-1/chat', 404, { code: 'conversation.unknown' }],
    ['overview?tenant_id=rival', 200, { transactions: [] }],
  ])('shows another tenant nothing: /v1/%s', async (path, status, expected) => {
    const answer = await get(`/v1/${path}`);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual(Array.isArray(expected) ? expected : expect.objectContaining(expected));
  });
});

describe('the transactions', () => {
  it('are passed their filters, and name the next page, which goes on where this one ended', async () => {
    const asked: unknown[] = [];
    const store: Partial<StoreReads> = {
      listTransactions: (filter) => {
        asked.push(filter);
        return Promise.resolve([transaction(), transaction({ id: 't-2' })]);
      },
    };
    const console = await openTestConsole({ store });
    opened.push(console);
    const first = await console.get(
      '/v1/transactions?tenant_id=acme&status=COMPLETED&tool=a&agent_id=b&since=2026-01-01T00:00:00Z&limit=2',
    );
    expect(asked[0]).toEqual({
      tenantId: 'acme',
      status: 'COMPLETED',
      tool: 'a',
      agentId: 'b',
      since: '2026-01-01T00:00:00Z',
      limit: 2,
      after: undefined,
    });
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    expect((await console.get(next)).status).toBe(200);
    expect(asked[1]).toMatchObject({
      status: 'COMPLETED',
      limit: 2,
      after: { startedAt: '2026-11-30T10:00:00.000Z', transactionId: 't-2' },
    });
  });

  it.each(['x', '%00', encodeURIComponent(Buffer.from('["2026","t"]').toString('base64url')), 'A'.repeat(501)])(
    'refuse a cursor that is none: %s',
    async (cursor) => {
      const answer = await get(`/v1/transactions?tenant_id=acme&cursor=${cursor}`);
      expect([answer.status, await answer.json()]).toMatchObject([422, { errors: [{ path: 'query.cursor' }] }]);
    },
  );

  it('are shown one by one with each item, its outcome, and the timeline', async () => {
    const answer = await get('/v1/transactions/t-1?tenant_id=acme');
    expect(await answer.json()).toMatchObject({
      outcome: 'PARTIAL_SUCCESS',
      items: [
        { id: 'PED-1001', outcome: 'succeeded', protocol: 'P-9' },
        { id: 'PED-1002', outcome: 'failed', reason: 'already shipped' },
      ],
      timeline: [{ event_type: 'IC.TURN_RECEIVED', sequence: 1, hash: 'b'.repeat(64) }],
    });
  });
});

describe('the chat of a conversation', () => {
  it('holds what was said and what was answered', async () => {
    expect(await (await get(`/v1/conversations/${key}/chat`)).json()).toEqual([
      {
        sequence: 1,
        turn_id: 'turn-1',
        message_id: 'm-1',
        at: '2026-11-30T10:00:00.000Z',
        said: 'oi',
        answered: 'Olá!',
        status: 'done',
        transaction_id: 't-1',
      },
    ]);
  });

  it('says of an answer that is under way that there is none yet', async () => {
    const store = { ...storeOf({ said: 'oi', answered: '' }), readTurns: () => Promise.resolve(new Map()) };
    expect(await (await get(`/v1/conversations/${key}/chat`, store)).json()).toMatchObject([
      { answered: null, status: 'in_flight' },
    ]);
  });

  it('names the next page where this one is full', async () => {
    const answer = await get(`/v1/conversations/${key}/chat?limit=1`);
    expect(answer.headers.get('link')).toContain('/chat?after=1&limit=1>; rel="next"');
  });
});

describe('the overview', () => {
  it('counts the transactions by state and outcome', async () => {
    expect(await (await get('/v1/overview?tenant_id=acme')).json()).toMatchObject({
      tenant_id: 'acme',
      transactions: [{ status: 'COMPLETED', outcome: 'PARTIAL_SUCCESS', count: 1 }],
      alarms: {},
      dead_letters: 0,
      is_catching_up: false,
    });
  });
});

describe('while the database is away', () => {
  const away = { listTransactions: () => Promise.reject(new RetryableError('away')) };

  it('a read is refused with what to do, and the page and the live part go on', async () => {
    const console = await openTestConsole({ store: away });
    opened.push(console);
    const answer = await console.get('/v1/transactions?tenant_id=acme');
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
      503,
      '2',
      { code: 'store.unavailable' },
    ]);
    expect((await console.get('/v1/alarms?tenant_id=acme')).status).toBe(200);
    expect((await console.get('/ready')).status).toBe(200);
  });
});

describe('nothing can be written', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is no route', async (method) => {
    const console = await openTestConsole();
    opened.push(console);
    for (const path of ['/', '/v1/transactions', '/v1/dead-letters', '/v1/alarms', '/v1/signals/stream']) {
      const answer = await fetch(console.url + path, { method });
      expect([path, answer.status, await answer.json()]).toMatchObject([path, 404, { code: 'route.unknown' }]);
    }
  });
});
