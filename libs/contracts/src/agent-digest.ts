import { digest } from './digest.ts';
import { isRecord } from './is-record.ts';

/**
 * The digest of an agent's configuration: of everything in it but the digest itself, so that configurations that behave differently have different ones. It is
 * taken over canonical JSON, in which the order of keys is nothing; a record whose order counts (parameters are shown and asked for as they are declared) is a
 * list there. What changes nothing, such as the order of the tools, changes no digest.
 *
 * @param agent an `AgentConfig`, or what a file says is one.
 */
export function agentDigest({ digest: _own, ...agent }: Readonly<Record<string, unknown>>): string {
  const { tools } = agent;
  if (!isRecord(tools)) return digest(agent);
  const inOrder = Object.entries(tools).map(([name, tool]) => [name, toolInOrder(tool)]);
  return digest({ ...agent, tools: Object.fromEntries(inOrder) });
}

/** Parameters come in their order; of two keys that give one argument the later counts; of several amounts that are too high the first is named. */
function toolInOrder(tool: unknown): unknown {
  if (!isRecord(tool)) return tool;
  const { parameters, mapping, limits } = tool;
  return {
    ...tool,
    parameters: listOf(parameters),
    mapping: isRecord(mapping) ? { ...mapping, map: listOf(mapping['map']) } : mapping,
    limits: isRecord(limits) ? { ...limits, maxAmounts: listOf(limits['maxAmounts']) } : limits,
  };
}

function listOf(record: unknown): unknown {
  return isRecord(record) ? Object.entries(record) : record;
}
