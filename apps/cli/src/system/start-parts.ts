import { canRunKafka, startKafka } from '../../../../deploy/local/kafka.mjs';
import { startPostgres } from '../../../../deploy/local/postgres.mjs';
import { type Ability, chooseBus, type BusChoice, memoryWarning } from './choose-parts.ts';
import { canRunDocker, startDockerKafka } from './docker-kafka.ts';
import { type RunningState } from './running-file.ts';
import { type SystemOptions } from './system-options.ts';

/** The bus and the database that the services use. */
export type Parts = {
  readonly bus: NonNullable<RunningState['bus']>;
  readonly database: NonNullable<RunningState['database']>;
  /** Empty for the in-process bus. */
  readonly brokers: readonly string[];
  readonly databaseUrl: string;
};

type Started<T> = { readonly part: T; stop(): Promise<unknown> };
type Bus = Pick<Parts, 'bus' | 'brokers'>;
type Database = Pick<Parts, 'database' | 'databaseUrl'>;

/**
 * Starts the bus and the database that this machine allows, side by side. `onStarted` gets how to stop each as soon as it runs, so that a failure of
 * one leaves nothing of the other behind.
 *
 * @throws Error with a sentence that says what to do.
 */
export async function startParts(
  options: SystemOptions,
  onStarted: (stop: () => Promise<unknown>) => void,
): Promise<Parts> {
  const keep = <T>(started: Started<T>): T => {
    onStarted(started.stop);
    return started.part;
  };
  const [bus, database] = await Promise.allSettled([startBus(options).then(keep), startDatabase(options).then(keep)]);
  if (bus.status === 'rejected') throw bus.reason;
  if (database.status === 'rejected') throw database.reason;
  return { ...bus.value, ...database.value };
}

async function startBus(options: SystemOptions): Promise<Started<Bus>> {
  const isGiven = options.brokers.length > 0;
  const unasked: Ability = { ok: false, reason: 'not asked' };
  const local = isGiven ? unasked : canRunKafka();
  const docker = isGiven || local.ok ? unasked : await canRunDocker();
  const { brokers, kafka: wanted, kafkaSecurity } = options;
  const isSecured = kafkaSecurity?.tls !== undefined || kafkaSecurity?.login !== undefined;
  const chosen = chooseBus({ brokers, isSecured, wanted, local, docker });
  if (!chosen.ok) throw new Error(chosen.error);
  return startChosenBus(chosen.value, options);
}

async function startChosenBus(choice: BusChoice, options: SystemOptions): Promise<Started<Bus>> {
  switch (choice.kind) {
    case 'given':
      return started({ kind: 'given', where: choice.brokers.join(','), why: choice.why }, choice.brokers);
    case 'local':
      return startLocalBus(choice.why, options);
    case 'docker': {
      const { brokers, stop } = await startDockerKafka(options.ports.kafka);
      return { ...started({ kind: 'docker', where: brokers, why: choice.why }, [brokers]), stop };
    }
    case 'memory':
      memoryWarning.forEach(options.onProgress);
      return started({ kind: 'memory', where: 'in process', why: choice.why }, []);
    default:
      return choice satisfies never;
  }
}

async function startLocalBus(why: string, options: SystemOptions): Promise<Started<Bus>> {
  const { brokers, stop } = await startLocalKafka(options);
  return {
    ...started({ kind: 'local', where: brokers, why }, [brokers]),
    stop,
  };
}

/** The Kafka of this state folder, started or found running. */
export function startLocalKafka(options: SystemOptions): ReturnType<typeof startKafka> {
  return startKafka({
    folder: options.stateFolder,
    port: options.ports.kafka,
    controllerPort: options.ports['kafka-controller'],
    onProgress: options.onProgress,
  });
}

/** The Postgres of this state folder, started or found running. */
export function startLocalPostgres(options: SystemOptions): ReturnType<typeof startPostgres> {
  return startPostgres({ folder: options.stateFolder, port: options.ports.postgres, onProgress: options.onProgress });
}

function started(bus: Bus['bus'], brokers: readonly string[]): Started<Bus> {
  return { part: { bus, brokers }, stop: async () => undefined };
}

async function startDatabase(options: SystemOptions): Promise<Started<Database>> {
  if (options.databaseUrl !== undefined) {
    const database = { kind: 'given' as const, where: placeOf(options.databaseUrl), why: 'DATABASE_URL names it' };
    return { part: { database, databaseUrl: options.databaseUrl }, stop: async () => undefined };
  }
  const { url, stop } = await startLocalPostgres(options);
  const why = 'no DATABASE_URL; started from the npm binaries';
  return { part: { database: { kind: 'local', where: placeOf(url), why }, databaseUrl: url }, stop };
}

/** Host, port and database, without the user and the password. */
function placeOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}
