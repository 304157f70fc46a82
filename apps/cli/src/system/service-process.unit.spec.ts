import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort, isAlive, waitUntil } from '../../../../deploy/local/processes.mjs';
import { backoffMs, type ServiceNews, ServiceProcess } from './service-process.ts';

const started: ServiceProcess[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.stop()));
});

type Sample = { service: ServiceProcess; news: ServiceNews[]; logFile: string; holdFile: string };

/** A service made of a few lines of JavaScript; `port` and `node:http` are at hand in it. */
async function service(code: string): Promise<Sample> {
  const folder = mkdtempSync(path.join(tmpdir(), 'latch-service-'));
  const [main, logFile, port] = [path.join(folder, 'main.mjs'), path.join(folder, 'service.log'), await freePort()];
  writeFileSync(main, `import { createServer } from 'node:http';\nconst port = ${port};\n${code}`);
  const holdFile = path.join(folder, 'held');
  const news: ServiceNews[] = [];
  const spec = {
    name: 'sample',
    readyUrls: [`http://127.0.0.1:${port}/ready`],
    args: [main],
    environment: {},
    logFile,
    holdFile,
  };
  const process = new ServiceProcess(spec, (what) => news.push(what));
  started.push(process);
  return { service: process, news, logFile, holdFile };
}

const answering = 'createServer((_, response) => response.end("ok")).listen(port);';

describe('a service that starts', () => {
  it('counts as started when it says that it is ready', async () => {
    const { service: sample } = await service(`setTimeout(() => { ${answering} }, 200);`);
    await sample.start();
    expect(sample.identity?.pid).toBeGreaterThan(0);
    expect(sample.restarts).toBe(0);
  });

  it('has no connection left that asked whether it is ready: the next request would find it as the service closes it', async () => {
    const { service: sample, logFile } = await service(
      `createServer((_, response) => response.end("ok")).listen(port).on('connection', (socket) => socket.on('close', () => console.error('left')));`,
    );
    await sample.start();
    const isLeft = (): boolean => readFileSync(logFile, 'utf8').includes('left');
    expect(await waitUntil(isLeft, { timeoutMs: 3000 })).toBe(true); // the service itself would close it after 5 s
  });

  it('fails with the end of its log when it ends before that', async () => {
    const { service: sample, logFile } = await service('console.error("the reason"); process.exit(3);');
    await expect(sample.start()).rejects.toThrow(/sample ended at its start \(exit code 3\).*the reason/s);
    expect(readFileSync(logFile, 'utf8')).toContain('the reason');
    expect(sample.identity).toBeNull();
  });
});

describe('a service that runs', () => {
  it('is started again when it is killed, and says so', async () => {
    const { service: sample, news } = await service(answering);
    await sample.start();
    const first = sample.identity?.pid ?? 0;
    process.kill(first, 'SIGKILL');
    expect(await waitUntil(() => news.some(({ kind }) => kind === 'ready'), { timeoutMs: 10_000 })).toBe(true);
    expect(news.map(({ kind }) => kind)).toEqual(['crashed', 'spawned', 'ready']);
    expect(news[0]).toEqual({ kind: 'crashed', how: 'killed by SIGKILL', restartInMs: 500 });
    expect(sample.identity?.pid).not.toBe(first);
    expect(sample.restarts).toBe(1);
  });

  it('stays down while an outage is ordered, and comes back after it', async () => {
    const { service: sample, news, holdFile } = await service(answering);
    await sample.start();
    writeFileSync(holdFile, '');
    process.kill(sample.identity?.pid ?? 0, 'SIGKILL');
    expect(await waitUntil(() => news.some(({ kind }) => kind === 'spawned'), { timeoutMs: 1500 })).toBe(false);
    rmSync(holdFile);
    expect(await waitUntil(() => news.some(({ kind }) => kind === 'ready'), { timeoutMs: 10_000 })).toBe(true);
  });

  it('stays down when it is stopped', async () => {
    const { service: sample, news } = await service(answering);
    await sample.start();
    const pid = sample.identity?.pid ?? 0;
    await sample.stop();
    expect(isAlive(pid)).toBe(false);
    expect(news).toEqual([]);
  });

  it('waits longer after every further crash, at most ten seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map(backoffMs)).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });
});
