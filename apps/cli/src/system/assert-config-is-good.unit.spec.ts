import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inCheckout } from '../checkout.ts';
import { assertConfigIsGood } from './assert-config-is-good.ts';
import { startSystem } from './start-system.ts';
import { type SystemOptions } from './system-options.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'latch-config-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a configuration, before anything is started', () => {
  it('that is good lets the start go on', async () => {
    await expect(assertConfigIsGood({ configFolder: inCheckout('deploy/config') })).resolves.toBeUndefined();
  });

  it('that is not there is one sentence', async () => {
    const configFolder = path.join(folder, 'nowhere');
    await expect(assertConfigIsGood({ configFolder })).rejects.toThrow(
      `There is no configuration folder ${configFolder}. Set LATCH_CONFIG_DIR to one that exists.`,
    );
  });

  it('that is broken is told with file, line and column, and no Kafka and no Postgres is started for it', async () => {
    await writeFile(path.join(folder, 'agents.yaml'), 'agents: {\n');
    const steps: string[] = [];
    const start = startSystem(optionsWith((line) => steps.push(line)));
    await expect(start).rejects.toThrow(/Nothing was started[^]*agents\.yaml:\d+:\d+/);
    expect(steps).toEqual([]);
  });
});

function optionsWith(onProgress: (line: string) => void): SystemOptions {
  const ports = {
    ingress: 36_421,
    orchestrator: 36_422,
    'tool-executor': 36_423,
    'result-normalizer': 36_424,
    evaluator: 36_425,
    console: 36_426,
    'mcp-telecom': 36_426,
    'mcp-retail': 36_427,
    kafka: 36_092,
    'kafka-controller': 36_093,
    postgres: 36_432,
  };
  return {
    stateFolder: path.join(folder, 'state'),
    ports,
    brokers: [],
    kafka: 'auto',
    databaseUrl: undefined,
    mode: 'processes',
    configFolder: folder,
    topicPrefix: '',
    onProgress,
  };
}
