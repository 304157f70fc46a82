import { stopKafka } from '../../../../deploy/local/kafka.mjs';
import { stopPostgres } from '../../../../deploy/local/postgres.mjs';
import { stopProcess } from '../../../../deploy/local/processes.mjs';
import { type ProcessIdentity, isStillRunning } from './process-identity.ts';
import { readRunningState, removeRunningFile } from './running-file.ts';

/**
 * Ends what a killed supervisor left behind in this folder: its services, and the local Kafka and Postgres. A process is ended only when pid and start
 * time are those in the state file, so that a stranger under a reused pid is never touched. Must not be called while the supervisor lives.
 *
 * @returns the names of what was ended.
 */
export async function clearLeftovers(stateFolder: string): Promise<readonly string[]> {
  const state = readRunningState(stateFolder);
  const services = (state?.services ?? []).flatMap(({ name, process }) =>
    process === null ? [] : [{ name, process }],
  );
  const ended = await Promise.all(services.map(({ name, process }) => endIfSame(name, process)));
  const [hadKafka, hadPostgres] = await Promise.all([
    stopKafka({ folder: stateFolder }),
    stopPostgres({ folder: stateFolder }),
  ]);
  removeRunningFile(stateFolder);
  return [...new Set([...ended.flat(), ...(hadKafka ? ['kafka'] : []), ...(hadPostgres ? ['postgres'] : [])])];
}

async function endIfSame(name: string, process: ProcessIdentity): Promise<readonly string[]> {
  if (!isStillRunning(process)) return [];
  await stopProcess(process.pid, { graceMs: 10_000 });
  return [name];
}
