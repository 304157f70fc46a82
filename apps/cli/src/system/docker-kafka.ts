import { existsSync } from 'node:fs';
import { run } from '../../../../deploy/local/processes.mjs';
import { checkoutFolder, inCheckout } from '../checkout.ts';
import { type Ability } from './choose-parts.ts';

const project = ['compose', '-p', 'latch-local', '-f', inCheckout('docker-compose.yml')];

/** Whether a Docker engine answers here, with Compose. */
export async function canRunDocker(): Promise<Ability> {
  if (!existsSync(inCheckout('docker-compose.yml'))) return { ok: false, reason: 'docker-compose.yml is missing.' };
  const engine = await run('docker', ['version', '--format', '{{.Server.Version}}'], { timeoutMs: 5000 });
  if (engine.code !== 0) return { ok: false, reason: 'no Docker engine answers.' };
  const compose = await run('docker', ['compose', 'version'], { timeoutMs: 5000 });
  if (compose.code !== 0) return { ok: false, reason: 'Docker has no Compose plugin.' };
  return { ok: true, reason: `Docker ${engine.output.trim()} answers` };
}

/**
 * Starts the Kafka of docker-compose.yml alone, on `port` of this machine.
 *
 * @throws Error with Docker's own words when it does not come up within three minutes (the image is fetched the first time).
 */
export async function startDockerKafka(port: number): Promise<{ readonly brokers: string; stop(): Promise<void> }> {
  const environment = ['env', `LATCH_PORT_KAFKA=${port}`, 'docker', ...project];
  const { code, output } = await compose([...environment, 'up', '-d', '--wait', 'kafka'], 180_000);
  if (code !== 0) throw new Error(`Kafka in Docker did not start. Docker says:\n${output.slice(-1500)}`);
  return {
    brokers: `127.0.0.1:${port}`,
    stop: async () => void (await compose([...environment, 'stop', 'kafka'], 60_000)),
  };
}

function compose(
  [command = 'env', ...args]: readonly string[],
  timeoutMs: number,
): Promise<{ code: number; output: string }> {
  return run(command, args, { timeoutMs, cwd: checkoutFolder });
}
