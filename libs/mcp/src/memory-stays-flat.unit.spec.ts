import { execFile } from 'node:child_process';
import { pipeline, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';
import { z } from 'zod';
import { type Fault, TestServer } from './test-server.features.ts';

jest.setTimeout(120_000);

const run = promisify(execFile);
/** It uses the built client: what is measured is the program, not the program under a test runner. */
const program = fileURLToPath(new URL('fixtures/hostile-results.mjs', import.meta.url));
const Said = z.object({ grownBytes: z.number(), outcomes: z.record(z.string(), z.number()) });

const warmUp = 60;
const times = 10;

const json = { 'content-type': 'application/json' };
const sse = { 'content-type': 'text/event-stream' };

/** So many bytes of the same piece, as fast as the client reads. */
function* pieces(piece: string, bytes: number): Generator<string> {
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece;
}

function poured(headers: Record<string, string>, before: string, piece: string): Fault {
  return (response, id) => {
    response.writeHead(200, headers).write(before.replace('ID', String(id)));
    pipeline(Readable.from(pieces(piece, 50_000_000)), response, () => undefined);
  };
}

const result = '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":';
const hostile: readonly Fault[] = [
  poured(json, `${result}"`, 'x'.repeat(65_536)),
  poured(json, `${result}{"results":[{"id":0}`, ',{"id":1,"success":true}'.repeat(1_000)),
  poured(sse, `data: ${result}"`, 'x'.repeat(65_536)),
  poured(sse, '', ': still there\n\n'.repeat(1_000)),
  poured(
    sse,
    '',
    `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"${'x'.repeat(900)}"}}\n\n`,
  ),
  (response, id) =>
    void response
      .writeHead(200, json)
      .end(`${result.replace('ID', String(id))}${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}}`),
  (response) => void response.writeHead(500, json).end('x'.repeat(10_000_000)),
];

/** The largest answer that is read: what the client needs for it is no growth. */
const largest: Fault = (response, id) => {
  const results = Array.from({ length: 35_000 }, (_, at) => ({ id: at, success: true }));
  response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result: { structuredContent: { results } } }));
};

describe('a client under hostile results', () => {
  it('refuses what is too large by name and grows by less than 50 MB: 50 MB, 1,000,000 results, endless streams, 10,000 levels', async () => {
    const server = await new TestServer().listen();
    server.faults.push(...Array.from({ length: warmUp }, () => largest));
    server.faults.push(...Array.from({ length: times }, () => hostile).flat());
    const args = [program, `http://127.0.0.1:${server.port}/mcp`, String(warmUp), String(times * hostile.length)];
    const { stdout } = await run('node', args, { timeout: 100_000 }).finally(() => server.close());
    const { grownBytes, outcomes } = Said.parse(JSON.parse(stdout));
    expect(outcomes).toEqual({
      result: warmUp,
      result_too_large: 5 * times,
      result_unreadable: times,
      http_error: times,
    });
    expect(grownBytes).toBeLessThan(50_000_000);
  });
});
