import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DomainServerClient, freePorts, IngressClient, readRunningState, SystemControl } from '@latch/cli';
import { childEnvironment } from '@latch/config';
import { eventually, freshDatabase, freshTopicPrefix, testBrokers } from '@latch/testing';

const checkout = path.resolve(import.meta.dirname, '../../..');
const main = path.join(checkout, 'apps/cli/dist/main.js');

/** What a command of `latch` left behind. */
export type Ended = {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
};

/** The system as an operator has it: started with `latch start`, and looked after with the other commands, each a process of its own. */
export type OperatorSystem = {
  readonly ingress: IngressClient;
  readonly ingressUrl: string;
  /** What its processes and its commands find in their environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly retail: DomainServerClient;
  readonly brokers: readonly string[];
  readonly topicPrefix: string;
  readonly databaseUrl: string;
  /** A folder for what the commands write, with the configuration in `config` and the public key of the seals in `seal.pem`. */
  readonly folder: string;
  /** Runs a command to its end, in surroundings that differ where it is said. */
  latch(args: readonly string[], surroundings?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Begins a command, for who sends it signals. */
  begin(args: readonly string[]): Running;
  /** Stops all parts and starts them again, in surroundings that stay changed. */
  restart(surroundings: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts all parts with sealed personal data, a local data key, sealed evidence, and the channel `web` telling who speaks in `context.phone`.
 *
 * @param more variables of the environment beside these, or instead.
 */
export async function startOperatorSystem(more: Readonly<Record<string, string>> = {}): Promise<OperatorSystem> {
  const folder = mkdtempSync(path.join(tmpdir(), 'latch-operator-'));
  const database = await freshDatabase();
  const topicPrefix = freshTopicPrefix();
  const environment = childEnvironment({
    ...{ DATABASE_URL: database.url, KAFKA_BROKERS: testBrokers().join(','), LATCH_TOPIC_PREFIX: topicPrefix },
    ...{ LATCH_STATE_DIR: path.join(folder, 'state'), LATCH_CONFIG_DIR: writeConfiguration(folder) },
    ...{ LATCH_MODE: 'compact', LATCH_SIGNING_KEY: newSigningKey(folder), LATCH_SEAL_EVERY_MS: '200' },
    ...Object.fromEntries(Object.entries(await freePorts()).map(([name, port]) => [variableOf(name), String(port)])),
    ...more,
  });
  let surroundings = environment;
  let system = run(['start'], environment);
  const restart = async (changed: Readonly<Record<string, string>>): Promise<void> => {
    await end(system.child);
    surroundings = { ...surroundings, ...changed };
    system = run(['start'], surroundings);
    await ready(path.join(folder, 'state'), system);
  };
  const stop = async (): Promise<void> => {
    await end(system.child);
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const control = await ready(path.join(folder, 'state'), system);
    return {
      ingress: new IngressClient(control.urlOf('ingress')),
      ingressUrl: control.urlOf('ingress'),
      environment,
      retail: new DomainServerClient(control.urlOf('mcp-retail')),
      ...{ brokers: testBrokers(), topicPrefix, databaseUrl: database.url, folder, stop },
      restart,
      begin: (args) => run(args, surroundings),
      latch: (args, more = {}) => run(args, { ...surroundings, ...more }).ended,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function writeConfiguration(folder: string): string {
  const config = path.join(folder, 'config');
  cpSync(path.join(checkout, 'deploy', 'config'), config, { recursive: true });
  writeFileSync(path.join(config, 'identity.yaml'), 'channels:\n  web:\n    customer_key: context.phone\n');
  return config;
}

/** @returns the private key; the public one is written beside what the commands write. */
function newSigningKey(folder: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(path.join(folder, 'seal.pem'), publicKey.export({ format: 'pem', type: 'spki' }));
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}

/** A command that runs. */
export type Running = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

function run(args: readonly string[], env: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, [main, ...args], { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { output: '', errors: '' };
  child.stdout.on('data', (text) => (said.output += String(text)));
  child.stderr.on('data', (text) => (said.errors += String(text)));
  return { child, ended: once(child, 'close').then(() => ({ code: child.exitCode, ...said })) };
}

function ready(stateFolder: string, { child, ended }: Running): Promise<SystemControl> {
  return eventually(
    async () => {
      if (child.exitCode !== null) throw new Error(`latch start ended: ${(await ended).errors}`);
      if (readRunningState(stateFolder)?.status !== 'ready') throw new Error('not ready yet');
      return new SystemControl(stateFolder);
    },
    { timeoutMs: 90_000, everyMs: 100 },
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function variableOf(part: string): string {
  return `LATCH_PORT_${part.toUpperCase().replaceAll('-', '_')}`;
}
