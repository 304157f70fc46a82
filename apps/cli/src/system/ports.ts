import { createServer } from 'node:net';
import { freePort } from '../../../../deploy/local/processes.mjs';

/** Distance of every part's port from `LATCH_PORT_BASE`. */
const offsets = {
  ingress: 0,
  orchestrator: 1,
  'tool-executor': 2,
  'result-normalizer': 3,
  evaluator: 4,
  console: 5,
  kafka: 92,
  'kafka-controller': 93,
  'mcp-telecom': 101,
  'mcp-retail': 102,
  postgres: 432,
} as const;

/** Every part of the local system that has a port of its own. */
export type PortName = keyof typeof offsets;

/** The port of every part. */
export type Ports = Readonly<Record<PortName, number>>;

/** The parts that have a port, in the order in which they are listed. */
export const portNames: readonly PortName[] = [
  'ingress',
  'orchestrator',
  'tool-executor',
  'result-normalizer',
  'evaluator',
  'console',
  'mcp-telecom',
  'mcp-retail',
  'kafka',
  'kafka-controller',
  'postgres',
];

/** The ports of an installation: `base` plus each part's offset, where `own` does not say otherwise. */
export function portsFrom(base: number, own: Partial<Ports> = {}): Ports {
  return everyPort((name) => own[name] ?? base + offsets[name]);
}

/** Ports that nobody uses now, for a system that runs beside others. */
export async function freePorts(): Promise<Ports> {
  const free = new Map<PortName, number>();
  for (const name of portNames) free.set(name, await freePort());
  return everyPort((name) => free.get(name) ?? 0);
}

/** Those of the named parts whose port somebody else listens on. */
export async function takenPorts(ports: Ports, names: readonly PortName[]): Promise<readonly PortName[]> {
  const checked = await Promise.all(names.map(async (name) => ((await isFree(ports[name])) ? [] : [name])));
  return checked.flat();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function everyPort(portOf: (name: PortName) => number): Ports {
  return {
    ingress: portOf('ingress'),
    orchestrator: portOf('orchestrator'),
    'tool-executor': portOf('tool-executor'),
    'result-normalizer': portOf('result-normalizer'),
    evaluator: portOf('evaluator'),
    console: portOf('console'),
    kafka: portOf('kafka'),
    'kafka-controller': portOf('kafka-controller'),
    'mcp-telecom': portOf('mcp-telecom'),
    'mcp-retail': portOf('mcp-retail'),
    postgres: portOf('postgres'),
  };
}
