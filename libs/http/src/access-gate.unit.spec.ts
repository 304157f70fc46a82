import { afterEach, describe, expect, it } from '@jest/globals';
import { success } from '@latch/contracts';
import { createLogger, createMetrics, HealthState, operationsModule } from '@latch/observability';
import { Controller, Get, Module, Req } from '@nestjs/common';
import type { Request } from 'express';
import { type Access } from './access-gate.ts';
import { authenticateWith, type CredentialReaders, expired, invalid, unavailable } from './authenticate.ts';
import { type HttpServer, openHttpServer } from './http-server.ts';
import { anybody, principalOf } from './principal.ts';

@Controller('v1/things')
class ThingsController {
  @Get()
  read(@Req() request: Request): object {
    return { tenant: principalOf(request).tenantId };
  }
}

@Module({})
class SpecModule {}

let server: HttpServer | undefined;
const lines: string[] = [];
afterEach(async () => {
  await server?.close();
  lines.length = 0;
});

const metrics = createMetrics({ service: 'spec', version: '1.0.0' });
const logger = createLogger({ service: 'spec', destination: { write: (line) => lines.push(line) } });

const readers: CredentialReaders = {
  token: (token) => {
    const answers: Readonly<Record<string, Awaited<ReturnType<NonNullable<CredentialReaders['token']>>>>> = {
      good: success({ ...anybody, tenantId: 'acme', scopes: ['read'] }),
      poor: success({ ...anybody, tenantId: 'acme', scopes: ['speak'] }),
      old: { ok: false, error: expired },
      later: { ok: false, error: unavailable },
    };
    return Promise.resolve(answers[token] ?? { ok: false, error: invalid('signature') });
  },
  apiKey: null,
};

async function open(access?: Partial<Access>): Promise<string> {
  const whole: Access = {
    metrics,
    authenticate: authenticateWith(readers),
    scopesFor: () => ['read', 'operate'],
    ...access,
  };
  server = await openHttpServer({
    settings: { LATCH_HTTP_HOST: '127.0.0.1', LATCH_HTTP_PORT: 0 },
    operations: { service: 'spec', version: '1.0.0', metrics, health: new HealthState() },
    logger,
    module: (operations) => ({
      module: SpecModule,
      imports: [operationsModule(operations)],
      controllers: [ThingsController],
    }),
    ...(access && { access: whole }),
  });
  return server.url;
}

function ask(address: string, credential?: string): Promise<Response> {
  return fetch(address, { headers: credential === undefined ? {} : { authorization: credential } });
}

describe('an API with an access gate', () => {
  it('serves whoever has a good credential, with its tenant', async () => {
    const answer = await ask(`${await open({})}/v1/things`, 'Bearer good');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ tenant: 'acme' });
  });

  it.each([
    ['no credential', undefined, { status: 401, code: 'auth.required' }, 'Bearer realm="latch"'],
    ['a bad one', 'Bearer bad', { status: 401, code: 'auth.invalid' }, 'Bearer realm="latch", error="invalid_token"'],
    ['an old one', 'Bearer old', { status: 401, code: 'auth.expired' }, 'Bearer realm="latch", error="invalid_token"'],
    [
      'one without the scope',
      'Bearer poor',
      { status: 403, code: 'auth.forbidden', detail: 'The credential lacks the scope read or operate.' },
      'Bearer realm="latch", error="insufficient_scope", scope="read operate"',
    ],
    ['one that nobody can check now', 'Bearer later', { status: 503, code: 'auth.unavailable' }, null],
  ])('refuses %s in the words of RFC 6750 and RFC 9457', async (_, credential, problem, challenge) => {
    const answer = await ask(`${await open({})}/v1/things`, credential);
    expect(answer.status).toBe(problem.status);
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.headers.get('retry-after')).toBe(problem.status === 503 ? '2' : null);
    expect(await answer.json()).toMatchObject(problem);
  });

  it.each([
    '/V1/things',
    '/v1/things/',
    '//v1/things',
    '/v1//things',
    '/v1/unknown',
    '/unknown',
    '/HEALTH',
    '/v1/%74hings',
    '/health/../v1/things',
  ])('is closed in every spelling of an address: %s', async (address) => {
    const answer = await ask((await open({})) + address);
    expect(answer.status).toBe(401);
  });

  it('takes a credential from its header alone', async () => {
    const url = await open({});
    const headers = {
      cookie: 'authorization=Bearer good',
      'x-authorization': 'Bearer good',
      'proxy-authorization': 'Bearer good',
    };
    expect((await fetch(`${url}/v1/things?access_token=good`, { headers })).status).toBe(401);
  });

  it.each(['/health', '/ready', '/version', '/metrics', '/page'])(
    'leaves open what belongs to nobody: %s',
    async (path) => {
      const url = await open({ isOpen: (asked) => asked === '/page' });
      expect([200, 404]).toContain((await ask(url + path)).status);
    },
  );

  it('counts and tells what it refuses, by a reason of a few, and never the credential', async () => {
    const url = await open({});
    await ask(`${url}/v1/things`, 'Bearer very-secret-credential');
    await ask(`${url}/v1/things`);
    const counted = await (await ask(`${url}/metrics`)).text();
    expect(counted).toMatch(/latch_auth_failures_total\{reason="signature",service="spec"\} [1-9]/);
    expect(counted).toMatch(/latch_auth_failures_total\{reason="missing",service="spec"\} [1-9]/);
    expect(lines.join('')).toContain('"reason":"signature"');
    expect(lines.join('') + counted).not.toContain('very-secret');
  });
});

describe('an API without an access gate', () => {
  it('serves nobody who wants to know who calls', async () => {
    const answer = await ask(`${await open()}/v1/things`, 'Bearer good');
    expect(answer.status).toBe(500);
  });
});
