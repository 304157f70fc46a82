import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type AgentConfig, platformVersion } from '@latch/contracts';
import { z } from 'zod';
import { inCheckout } from '../checkout.ts';
import { historyAgents } from './history-agents.ts';
import { historyScripts } from './history-scripts.ts';
import { historyText, readHistory, type RecordedHistory } from './history-file.ts';

/**
 * A decision that the engine of a later release makes otherwise, on purpose: which history, the version of the decision's first event, the release that
 * changed it and why.
 */
const Difference = z.object({
  history: z.string(),
  version: z.number().int().positive(),
  since: z.string(),
  why: z.string().min(10),
});
export type KnownDifference = z.infer<typeof Difference>;

/** The histories of one release, with what they need to be replayed. */
export type HistoryFolder = {
  readonly release: string;
  readonly histories: readonly RecordedHistory[];
  readonly agentOf: (digest: string) => AgentConfig | undefined;
  readonly differences: readonly KnownDifference[];
};

const root = inCheckout('contracts/histories');

/** The releases whose histories are kept, the oldest first. */
export function recordedReleases(): readonly string[] {
  const names = existsSync(root) ? readdirSync(root) : [];
  return names.filter((name) => /^\d+\.\d+\.\d+$/.test(name)).sort(byVersion);
}

/** Reads the histories of a release. */
export function readHistoryFolder(release: string): HistoryFolder {
  const folder = path.join(root, release);
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const configs = new Map<string, AgentConfig | undefined>();
  return {
    release,
    histories: names.map((name) => readHistory(readFileSync(path.join(folder, name), 'utf8'))),
    agentOf: (digest) => {
      if (!configs.has(digest)) configs.set(digest, readConfig(path.join(folder, 'configs', `${digest}.json`)));
      return configs.get(digest);
    },
    differences: readDifferences(path.join(folder, 'differences.json')),
  };
}

/** Plays every script with the engine as it is, and keeps what came of it as the histories of this release. @returns how many. */
export async function recordHistories(): Promise<number> {
  const folder = path.join(root, platformVersion);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'configs'), { recursive: true });
  const agentOf = await historyAgents();
  for (const script of historyScripts) {
    const talk = script.play(agentOf);
    writeFileSync(path.join(folder, `${script.name}.jsonl`), historyText(script, talk));
    // As the store keeps them, in the order of the files: parameters are shown in the order in which they are declared.
    for (const agent of talk.configurations()) {
      writeFileSync(path.join(folder, 'configs', `${agent.digest}.json`), `${JSON.stringify(agent)}\n`);
    }
  }
  return historyScripts.length;
}

function readConfig(file: string): AgentConfig | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function readDifferences(file: string): readonly KnownDifference[] {
  return existsSync(file) ? z.array(Difference).parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
}

function byVersion(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  return (left ?? []).map((part, index) => part - (right?.[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
