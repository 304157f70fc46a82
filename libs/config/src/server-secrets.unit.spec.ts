import { describe, expect, it } from '@jest/globals';
import { type McpServerConfig } from '@latch/contracts';
import { readEnvironment } from './read-environment.ts';
import { serverEnvironments } from './server-environments.ts';
import { serverHeaders, serverHeaderSettings } from './server-headers.ts';

describe('the headers of MCP servers', () => {
  function headersFrom(env: Record<string, string>): unknown {
    const settings = readEnvironment(serverHeaderSettings, env);
    return settings.ok ? serverHeaders(settings.value) : settings.error;
  }

  it('come from the environment: bearer tokens and any others, per server', () => {
    const env = {
      LATCH_MCP_TOKENS: 'contas=abc, retail=d=e',
      LATCH_MCP_HEADERS: '{"contas":{"X-Api-Key":"k, 1"},"retail":{"Authorization":"Basic x"}}',
    };
    expect(headersFrom(env)).toEqual({
      contas: { 'x-api-key': 'k, 1', authorization: 'Bearer abc' },
      retail: { authorization: 'Bearer d=e' },
    });
    expect(headersFrom({})).toEqual({});
  });

  it.each([
    'x-api-key=1',
    '{"contas":"x"}',
    '{"contas":{"bad header":"x"}}',
    '{"contas":{"x":"a\\nb"}}',
    '{"contas":{"Idempotency-Key":"mine"}}',
    '{"contas":{"Host":"elsewhere"}}',
  ])('are refused when they are none, and the refusal holds nothing of them: %s', (text) => {
    const refusal = String(headersFrom({ LATCH_MCP_HEADERS: text }));
    expect(refusal).toContain('LATCH_MCP_HEADERS');
    expect(refusal).toContain('it must be JSON such as');
    expect(refusal).not.toContain(text);
  });
});

describe('the environment of a server process', () => {
  const server = (name: string, env: readonly string[], enabled = true): McpServerConfig => ({
    ...{ name, url: 'stdio:node', enabled, connectTimeoutMs: 1, maxConcurrentCalls: 1, maxResultBytes: 1 },
    breaker: { failures: 1, openMs: 1 },
    process: { command: 'node', args: [], env },
  });
  const env = { PATH: '/bin', CRM_TOKEN: 'secret-1', LATCH_DATA_KEY: 'never', SHORT: 'abc' };

  it('is what it needs to run and what is named, nothing else', () => {
    expect(serverEnvironments({ crm: server('crm', ['CRM_TOKEN', 'SHORT']) }, env)).toEqual({
      ok: true,
      value: { crm: { variables: { PATH: '/bin', CRM_TOKEN: 'secret-1', SHORT: 'abc' }, secrets: ['secret-1'] } },
    });
  });

  it('names every variable that is missing, of enabled servers', () => {
    const servers = { a: server('a', ['ONE', 'TWO']), b: server('b', ['THREE']), c: server('c', ['FOUR'], false) };
    expect(serverEnvironments(servers, env)).toMatchObject({
      ok: false,
      error: expect.stringContaining('ONE (server a), TWO (server a), THREE (server b).'),
    });
  });

  it('is not asked for where a server has an address', () => {
    const { process: _none, ...http } = server('h', []);
    expect(serverEnvironments({ h: http }, env)).toEqual({ ok: true, value: {} });
  });
});
