import { portVariables } from '../config.ts';
import { type PortName, takenPorts } from './ports.ts';
import { serviceNames } from './services.ts';
import { type SystemOptions } from './system-options.ts';

/** @throws Error that names every port that is taken, by whose part, and what to do. */
export async function assertPortsAreFree(options: SystemOptions): Promise<void> {
  const taken = await takenPorts(options.ports, neededPorts(options));
  if (taken.length === 0) return;
  const list = taken.map((name) => `  ${options.ports[name]} (${name}; ${remedyFor(name, options)})`);
  const count = taken.length === 1 ? 'A port is' : `${taken.length} ports are`;
  throw new Error(
    [
      `${count} taken by another process:`,
      ...list,
      'Stop that process, or move the whole system: LATCH_PORT_BASE=19000 npm start',
    ].join('\n'),
  );
}

function neededPorts(options: SystemOptions): readonly PortName[] {
  const startsKafka = options.brokers.length === 0 && options.kafka !== 'memory';
  return [
    ...serviceNames,
    ...(startsKafka ? (['kafka', 'kafka-controller'] as const) : []),
    ...(options.databaseUrl === undefined ? (['postgres'] as const) : []),
  ];
}

function remedyFor(name: PortName, options: SystemOptions): string {
  const other = `or choose another with ${portVariables[name]}`;
  if (name === 'kafka')
    return `if it is a Kafka of yours, use it: KAFKA_BROKERS=127.0.0.1:${options.ports.kafka}; ${other}`;
  if (name === 'postgres') return `if it is a Postgres of yours, use it: DATABASE_URL=postgres://...; ${other}`;
  return other.replace('or choose', 'choose');
}
