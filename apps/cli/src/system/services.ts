import { type PortName } from './ports.ts';

/** A process of the local system that is ours, in the order in which they stop: nobody loses whom it still needs. */
export const serviceNames = [
  'ingress',
  'orchestrator',
  'tool-executor',
  'result-normalizer',
  'evaluator',
  'console',
  'mcp-telecom',
  'mcp-retail',
] as const satisfies readonly PortName[];

/** The name of a service; its code is in `apps/<name>`. */
export type ServiceName = (typeof serviceNames)[number];

/** The sample domain servers; they have no bus and no database. */
export const mcpServerNames: readonly ServiceName[] = ['mcp-telecom', 'mcp-retail'];

/** The six services of the platform: what runs in one process in compact mode. */
export const platformServiceNames: readonly ServiceName[] = serviceNames.filter(
  (name) => !mcpServerNames.includes(name),
);

/** Where a service says whether it can work. */
export function readyPathOf(name: ServiceName): string {
  return mcpServerNames.includes(name) ? '/health' : '/ready';
}
