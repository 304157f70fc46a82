import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Problem } from '@latch/contracts';
import { message, openTestIngress, type TestIngress } from './test-ingress.features.ts';

/** Bodies that are refused, with the status, the code and the paths that the answer must name. */
const refused: readonly [string, unknown, number, string, readonly string[]][] = [
  ['no JSON', '{"channel":', 400, 'request.malformed', []],
  ['an empty body', '', 400, 'request.malformed', []],
  ['NaN', '{"channel":NaN}', 400, 'request.malformed', []],
  ['a list', [], 422, 'request.invalid', ['$']],
  ['null', 'null', 422, 'request.invalid', ['$']],
  ['an empty object', {}, 422, 'request.invalid', ['$.channel', '$.payload']],
  [
    'an empty payload',
    { channel: 'web', payload: {} },
    422,
    'request.invalid',
    ['$.payload.message', '$.payload.session_id', '$.payload.message_id'],
  ],
  ['a number as message', message({ payload: { message: 7 } }), 422, 'request.invalid', ['$.payload.message']],
  ['an empty message', message({ payload: { message: '  ' } }), 422, 'request.invalid', ['$.payload.message']],
  [
    'a message of 20,000 characters',
    message({ payload: { message: 'a'.repeat(20_000) } }),
    422,
    'request.invalid',
    ['$.payload.message'],
  ],
  [
    'a session id with a space',
    message({ payload: { session_id: 'a b' } }),
    422,
    'request.invalid',
    ['$.payload.session_id'],
  ],
  [
    'a session id with a line break',
    message({ payload: { session_id: 'a\nb' } }),
    422,
    'request.invalid',
    ['$.payload.session_id'],
  ],
  ['a tenant with a colon', message({ tenant_id: 'a:b' }), 422, 'request.invalid', ['$.tenant_id']],
  ['an unknown agent', message({ agent_id: 'nobody' }), 422, 'agent.unknown', ['$.agent_id']],
  [
    'an agent named like a property of objects',
    message({ agent_id: 'constructor' }),
    422,
    'agent.unknown',
    ['$.agent_id'],
  ],
  ['no agent where none is the default', message({ agent_id: undefined }), 422, 'agent.unknown', ['$.agent_id']],
  [
    'an agent of another tenant',
    message({ agent_id: 'telecom_contas', tenant_id: 'acme' }),
    422,
    'agent.unknown',
    ['$.agent_id'],
  ],
  ['an unknown tenant', message({ tenant_id: 'nobody' }), 422, 'agent.unknown', ['$.agent_id']],
  ['a channel that the agent does not serve', message({ channel: 'fax' }), 422, 'request.invalid', ['$.channel']],
  [
    'an unknown major version',
    message({ payload: { metadata: { contract_version: 'gateway-request-v2' } } }),
    422,
    'contract.unsupported_version',
    ['$.payload.metadata.contract_version'],
  ],
  [
    'the version of another contract',
    message({ payload: { metadata: { contract_version: 'tool-result-v1' } } }),
    422,
    'contract.unsupported_version',
    ['$.payload.metadata.contract_version'],
  ],
  [
    'a name given twice',
    '{"channel":"web","channel":"x","payload":{"message":"a","session_id":"s","message_id":"m"}}',
    422,
    'request.invalid',
    ['$.channel'],
  ],
  [
    'a name given twice deep inside',
    '{"channel":"web","payload":{"inputs":{"arguments":{"id":1,"\\u0069d":2}}}}',
    422,
    'request.invalid',
    ['$.payload.inputs.arguments.id'],
  ],
  [
    '__proto__',
    '{"channel":"web","payload":{"context":{"__proto__":{"admin":true}}}}',
    422,
    'request.invalid',
    ['$.payload.context.__proto__'],
  ],
  [
    'constructor',
    '{"constructor":{"prototype":{"x":1}}}',
    422,
    'request.invalid',
    ['$.constructor', '$.constructor.prototype'],
  ],
  [
    'a lone surrogate',
    '{"channel":"web","payload":{"message":"a\\ud800b"}}',
    422,
    'request.invalid',
    ['$.payload.message'],
  ],
  [
    'a NUL character',
    '{"channel":"web","payload":{"message":"a\\u0000b"}}',
    422,
    'request.invalid',
    ['$.payload.message'],
  ],
  [
    'a number beyond JSON',
    '{"payload":{"tool_arguments":{"a":1e999}}}',
    422,
    'request.invalid',
    ['$.payload.tool_arguments.a'],
  ],
  [
    'a whole number that would be rounded',
    '{"payload":{"tool_arguments":{"a":[1,12345678901234567890]}}}',
    422,
    'request.invalid',
    ['$.payload.tool_arguments.a[1]'],
  ],
  ['10,000 levels', '['.repeat(10_000) + ']'.repeat(10_000), 422, 'request.invalid', ['$']],
  [
    '10,000 fields',
    JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, 1]))),
    422,
    'request.invalid',
    ['$'],
  ],
];

describe('a message that is refused', () => {
  let ingress: TestIngress;
  beforeAll(async () => {
    ingress = await openTestIngress();
  });
  afterAll(() => ingress.close());

  it.each(refused)(
    'for %s gets a problem with its paths, for little processor time',
    async (_, body, status, code, paths) => {
      const before = process.cpuUsage();
      const answer = await ingress.send(body);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(1_000);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      const problem = Problem.parse(await answer.json());
      expect(problem).toMatchObject({ code, status, type: `urn:latch:problem:${code}` });
      expect(problem.trace_id).toBe(answer.headers.get('x-trace-id'));
      expect(problem.errors?.map(({ path }) => path) ?? []).toEqual(paths);
    },
  );

  it('for the contract header of another major gets a problem that names the header', async () => {
    const answer = await ingress.send(message(), { 'x-agent-framework-contract': 'gateway-request-v9' });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      code: 'contract.unsupported_version',
      errors: [{ path: 'header X-Agent-Framework-Contract' }],
    });
  });

  it.each([
    ['text/plain', {}],
    ['application/json; charset=iso-8859-1', {}],
    ['application/jsonp', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('for the media type %s %j gets 415', async (type, headers) => {
    const answer = await ingress.send(message(), { 'content-type': type, ...headers });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ code: 'request.unsupported_media_type' });
  });

  it('for bytes that are no UTF-8 gets 400', async () => {
    const bytes = Buffer.concat([Buffer.from('{"channel":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const answer = await fetch(`${ingress.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bytes,
    });
    expect(answer.status).toBe(400);
  });

  it('for 257 KiB gets 413', async () => {
    const answer = await ingress.send(message({ payload: { context: { padding: 'x'.repeat(257 * 1_024) } } }));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 'request.too_large' });
  });

  it('for a megabyte in chunks without a length gets 413 too', async () => {
    expect(await sendChunked(`${ingress.url}/v1/messages`, 1_024)).toMatchObject({ status: 413 });
  });

  it('does not cost the connection: the next one on it is answered', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await ingress.send('x'.repeat(400_000))).status).toBe(413);
      expect((await ingress.send('{')).status).toBe(400);
    }
  });

  it('repeats nothing of what it held', async () => {
    const answer = await ingress.send(message({ tenant_id: 'secret value 529.982.247-25', channel: 7 }));
    expect(await answer.text()).not.toMatch(/secret value|529\.982/);
  });

  it('never reaches the bus, and pollutes no object', async () => {
    const valid = await ingress.send(message({ payload: { message_id: 'the-only-valid-one' } }), { prefer: 'wait=0' });
    expect(valid.status).toBe(202);
    await ingress.untilTurns(1);
    expect(ingress.turns.map((turn) => turn.message_id)).toEqual(['the-only-valid-one']);
    expect(Reflect.get({}, 'admin')).toBeUndefined();
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  it.each([
    ['GET', '/v1/messages', 404, 'route.unknown'],
    ['GET', '/nowhere', 404, 'route.unknown'],
    ['GET', '/v1/turns/%zz', 400, 'request.malformed'],
  ])('as %s %s gets a problem', async (method, path, status, code) => {
    const answer = await fetch(ingress.url + path, { method });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code, status });
  });
});

/** Sends a JSON string of so many KiB with `Transfer-Encoding: chunked`. */
function sendChunked(url: string, kibibytes: number): Promise<{ status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const sending = httpRequest(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode });
    });
    sending.on('error', reject);
    sending.write('"');
    for (let sent = 0; sent < kibibytes; sent += 1) sending.write('x'.repeat(1_024));
    sending.end('"');
  });
}
