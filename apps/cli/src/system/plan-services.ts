import { rmSync } from 'node:fs';
import path from 'node:path';
import { childEnvironment } from '@latch/config';
import { personalDataEnvironment } from './data-key.ts';
import { checkoutFolder } from '../checkout.ts';
import { portVariables } from '../config.ts';
import { type ServiceSpec } from './service-process.ts';
import { mcpServerNames, platformServiceNames, readyPathOf, type ServiceName, serviceNames } from './services.ts';
import { type Parts } from './start-parts.ts';
import { logFolderOf, type SystemOptions } from './system-options.ts';

/** A process of ours: one service, or in compact mode all of the platform. */
export type PlannedProcess = {
  readonly spec: ServiceSpec;
  readonly services: readonly { readonly name: ServiceName; readonly url: string }[];
};

/** The processes to start, in the order in which they stop. In compact mode, and whenever the bus is in memory, the platform is one process. */
export function planServices(options: SystemOptions, parts: Parts): readonly PlannedProcess[] {
  if (!isCompact(options, parts)) return serviceNames.map((name) => planProcess(name, [name], { options, parts }));
  return [
    planProcess('platform', platformServiceNames, { options, parts }),
    ...mcpServerNames.map((name) => planProcess(name, [name], { options, parts })),
  ];
}

/** Whether the platform's services share a process. */
export function isCompact(options: Pick<SystemOptions, 'mode'>, parts: Pick<Parts, 'bus'>): boolean {
  return options.mode === 'compact' || parts.bus.kind === 'memory';
}

type Surroundings = { readonly options: SystemOptions; readonly parts: Parts };

function planProcess(name: string, names: readonly ServiceName[], around: Surroundings): PlannedProcess {
  const { options } = around;
  const services = names.map((service) => ({ name: service, url: urlOf(service, options) }));
  const main = name === 'platform' ? 'apps/cli/dist/compact/main.js' : `apps/${name}/dist/main.js`;
  return {
    services,
    spec: {
      name,
      readyUrls: services.map((service) => service.url + readyPathOf(service.name)),
      args: [path.join(checkoutFolder, main)],
      environment: environmentOf(names, around),
      logFile: path.join(logFolderOf(options), `${name}.log`),
      holdFile: holdFileOf(options.stateFolder, name),
    },
  };
}

/** Where an outage of a process is ordered, by whoever plays one: see `SystemControl`. */
export function holdFileOf(stateFolder: string, name: string): string {
  return path.join(stateFolder, 'held', name);
}

/** Forgets outages that were ordered in an earlier run. */
export function endOutages(stateFolder: string): void {
  rmSync(path.join(stateFolder, 'held'), { recursive: true, force: true });
}

function urlOf(name: ServiceName, options: SystemOptions): string {
  return `http://127.0.0.1:${options.ports[name]}`;
}

function environmentOf(names: readonly ServiceName[], { options, parts }: Surroundings): Record<string, string> {
  const [only] = names.length === 1 ? names : [];
  const portOf = (name: ServiceName): string => String(options.ports[name]);
  return childEnvironment({
    LATCH_BUS: parts.bus.kind === 'memory' ? 'memory' : 'kafka',
    KAFKA_BROKERS: parts.brokers.length > 0 ? parts.brokers.join(',') : undefined,
    DATABASE_URL: parts.databaseUrl,
    ...personalDataEnvironment(options.stateFolder),
    LATCH_CONFIG_DIR: options.configFolder,
    LATCH_TOPIC_PREFIX: options.topicPrefix,
    LATCH_HTTP_HOST: '127.0.0.1',
    LATCH_HTTP_PORT: only === undefined ? undefined : portOf(only),
    LATCH_MCP_TELECOM_URL: `${urlOf('mcp-telecom', options)}/mcp`,
    LATCH_MCP_RETAIL_URL: `${urlOf('mcp-retail', options)}/mcp`,
    ...Object.fromEntries(names.map((name) => [portVariables[name], portOf(name)])),
  });
}
