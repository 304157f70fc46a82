import { canonicalJson } from '@latch/contracts';
import { compileSchema, type ListedTool, schemaHash } from '@latch/mcp';
import { failed, type Finding, type LabCheck, type LabSurroundings, passed } from '../lab-check.ts';
import { type LabPlan } from '../lab-plan.ts';

/** What must be true of the server's list of tools. */
export const listingChecks: readonly LabCheck[] = [
  {
    id: 'listing.complete',
    title: 'Lists its tools, those of the plan among them',
    why: 'A tool that is not listed cannot be pinned by its schema, and is never called.',
    isRequired: true,
    run: listsThePlannedTools,
  },
  {
    id: 'listing.schemas',
    title: 'Every tool of the plan has a usable input schema',
    why: 'Arguments are checked before they are sent; a schema that cannot be compiled stops every call.',
    isRequired: true,
    run: schemasAreUsable,
  },
  {
    id: 'listing.stable',
    title: 'Says the same about its tools when asked again',
    why: 'A schema that changes from one list to the next looks like a change of the tool: calls with an effect stop until an operator accepts it.',
    isRequired: true,
    run: listIsStable,
  },
  {
    id: 'listing.unknown_tool',
    title: 'Refuses a tool that it does not have',
    why: 'A success for a tool that does not exist would be told to the customer as done.',
    isRequired: true,
    run: unknownToolIsRefused,
  },
];

async function listsThePlannedTools({ plan, client }: LabSurroundings): Promise<Finding> {
  const listed = await client.listTools();
  if (!listed.ok)
    return failed(
      `tools/list did not work: ${canonicalJson(listed.error)}`,
      'Make initialize and tools/list work; see the MCP specification.',
    );
  const names = listed.value.map(({ name }) => name);
  const lacking = toolsOf(plan).filter((name) => !names.includes(name));
  if (lacking.length > 0)
    return failed(`not listed: ${lacking.join(', ')}`, 'List them, or correct their names in the plan.');
  return passed(`${names.length} tools`);
}

async function schemasAreUsable({ plan, client }: LabSurroundings): Promise<Finding> {
  const tools = await plannedTools({ plan, client });
  if (tools.length === 0) return failed('no tool to look at', 'Make tools/list work.');
  const problems = tools.flatMap(({ name, inputSchema, outputSchema }) =>
    [inputSchema, ...(outputSchema === null ? [] : [outputSchema])].flatMap((schema) => {
      const compiled = compileSchema(schema);
      return compiled.ok ? [] : [`${name}: ${compiled.error}`];
    }),
  );
  if (problems.length > 0)
    return failed(
      problems.join('; '),
      'Write plain JSON Schema 2020-12 or draft-07, without references to other documents and without patterns that can run for ever.',
    );
  return passed(`${tools.length} tools compiled`);
}

async function listIsStable({ client }: LabSurroundings): Promise<Finding> {
  const [first, second] = [await client.listTools(), await client.listTools()];
  if (!first.ok || !second.ok)
    return failed('tools/list did not work twice in a row', 'Make tools/list work at any time.');
  const before = new Map(first.value.map((tool) => [tool.name, schemaHash(tool)]));
  const changed = second.value.filter((tool) => before.get(tool.name) !== schemaHash(tool)).map(({ name }) => name);
  if (changed.length > 0 || first.value.length !== second.value.length)
    return failed(
      `differs: ${changed.join(', ') || 'the number of tools'}`,
      'Make schemas from the code alone, never from data, time or the caller.',
    );
  return passed('two lists are equal');
}

async function unknownToolIsRefused({ client }: LabSurroundings): Promise<Finding> {
  const { outcome, result } = await client.call({ tool: 'latch_lab_no_such_tool', arguments: {} });
  const advice = 'Answer with the JSON-RPC error -32602, or with isError.';
  if (outcome.kind === 'protocol_error') return passed(`JSON-RPC error ${outcome.code}`);
  if (outcome.kind !== 'result') return failed(`no answer: ${outcome.kind}`, advice);
  return result.ok ? failed('it answered with a success', advice) : passed('isError');
}

function toolsOf({ effect, ...others }: LabPlan): readonly string[] {
  const calls = [
    others.items,
    others.reconcile,
    others.invalid,
    others.refused,
    others.denied,
    others.empty,
    others.large,
  ];
  const named = calls.flatMap((call) => (call === undefined || call === 'not_offered' ? [] : [call.tool]));
  return [...new Set([...(effect === undefined ? [] : [effect.tool]), ...named])];
}

async function plannedTools({
  plan,
  client,
}: Pick<LabSurroundings, 'plan' | 'client'>): Promise<readonly ListedTool[]> {
  const listed = await client.listTools();
  const wanted = toolsOf(plan);
  if (!listed.ok) return [];
  return wanted.length === 0 ? listed.value : listed.value.filter(({ name }) => wanted.includes(name));
}
