import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DomainServerClient, freePorts, IngressClient, type RunningSystem, startSystem } from '@latch/cli';
import { answerWith, defineTool, type DomainTool, refuseWith, serveDomain } from '@latch/mcp-server';
import { defaultOf, type DialogueTool, freshDatabase, testBrokers } from '@latch/testing';
import { z } from 'zod';

/** A system of its own: configuration, domain server, topics and database belong to it alone. */
export type DialogueSystem = {
  readonly ingress: IngressClient;
  /** The domain server's own account of the calls that reached it. */
  readonly domain: DomainServerClient;
  /** What the domain server answers from now on: so many results, or a refusal. */
  answerWith(outcome: { readonly ok: boolean; readonly results: number }): void;
  stop(): Promise<void>;
};

export const dialogueAgentId = 'dialogues';

/** Starts the platform over a domain server with the given tools, and a configuration that is made of them. */
export async function startDialogueSystem(tools: readonly DialogueTool[]): Promise<DialogueSystem> {
  let outcome = { ok: true, results: 1 };
  const domain = await serveDomain({
    name: dialogueAgentId,
    version: '1',
    port: 0,
    tools: tools.map((tool) => domainTool(tool, () => outcome)),
    reset: () => undefined,
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'latch-dialogues-'));
  writeConfiguration(folder, { tools, url: `${domain.url}/mcp` });
  const database = await freshDatabase();
  const stopSurroundings = async (): Promise<void> => {
    await domain.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const system = await startPlatform(folder, database.url);
    return {
      ingress: new IngressClient(urlOf(system, 'ingress')),
      domain: new DomainServerClient(domain.url),
      answerWith: (next) => {
        outcome = next;
      },
      stop: async () => {
        await system.stop();
        await stopSurroundings();
      },
    };
  } catch (error) {
    await stopSurroundings();
    throw error;
  }
}

function domainTool(tool: DialogueTool, outcome: () => { readonly ok: boolean; readonly results: number }): DomainTool {
  return defineTool({
    name: tool.name,
    title: tool.name,
    description: tool.name,
    input: z.looseObject({}),
    isReadOnly: tool.operation_type === 'read_only',
    handle: ({ arguments: given }) => {
      const { ok, results } = outcome();
      if (!ok) return refuseWith({ errorCategory: 'business', isRetryable: false, message: 'refused' });
      const items = itemResults(tool, given);
      const content = items === null ? { count: results } : { results: items };
      return answerWith(content, tool.operation_type === 'read_only' ? 0 : 1);
    },
  });
}

/** What is done to a list is accounted for entry by entry (seeds/000 section 5). */
function itemResults(tool: DialogueTool, given: Readonly<Record<string, unknown>>): readonly unknown[] | null {
  const lists = Object.keys(tool.args_schema).filter((name) => tool.args_schema[name]?.type === 'array');
  const list = lists.map((name) => given[name]).find((value): value is unknown[] => Array.isArray(value));
  return list === undefined ? null : list.map((id) => ({ id, success: true }));
}

/** JSON is YAML. */
function writeConfiguration(
  folder: string,
  of: { readonly tools: readonly DialogueTool[]; readonly url: string },
): void {
  const agent = { agent_id: dialogueAgentId, locale: 'en', time_zone: 'UTC' };
  const files = {
    'agents.yaml': { agents: [agent] },
    'routing.yaml': { intents: of.tools.map(({ name }) => ({ name, tool: name, keywords: [name] })) },
    'tools.yaml': { tools: Object.fromEntries(of.tools.map((tool) => [tool.name, contractOf(tool)])) },
    'tool_policies.yaml': { tool_policies: Object.fromEntries(of.tools.map((tool) => [tool.name, policyOf(tool)])) },
    'mcp_servers.yaml': { servers: { domain: { url: of.url } } },
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), JSON.stringify(content));
}

function contractOf(tool: DialogueTool): unknown {
  const parameters = Object.entries(tool.args_schema).map(([name, { type, enum: choices }]) => {
    const byDefault = defaultOf(tool, name);
    return [
      name,
      { type, ...(choices ? { enum: choices } : {}), ...(byDefault === null ? {} : { default: byDefault }) },
    ];
  });
  return { mcp_server: 'domain', args_schema: Object.fromEntries(parameters) };
}

function policyOf({ operation_type, require_confirmation, requires }: DialogueTool): unknown {
  return { operation_type, require_confirmation, requires };
}

async function startPlatform(configFolder: string, databaseUrl: string): Promise<RunningSystem> {
  const outcome = await startSystem({
    stateFolder: path.join(configFolder, 'state'),
    ports: await freePorts(),
    brokers: testBrokers(),
    kafka: 'local',
    databaseUrl,
    mode: 'compact',
    configFolder,
    topicPrefix: `dialogues-${randomBytes(4).toString('hex')}.`,
    onProgress: () => undefined,
  });
  if (outcome.kind === 'already_running') throw new Error('A fresh folder cannot be taken.');
  return outcome.system;
}

function urlOf(system: RunningSystem, name: string): string {
  const found = system.state().services.find((service) => service.name === name);
  if (found === undefined) throw new Error(`${name} was not started.`);
  return found.url;
}
