import {
  failed,
  type Finding,
  type LabCheck,
  type LabSurroundings,
  notApplicable,
  notTested,
  passed,
} from '../lab-check.ts';
import { wordsOf } from './effect-checks.ts';

/** What must be true of sizes and times. */
export const limitChecks: readonly LabCheck[] = [
  {
    id: 'limits.largest_answer',
    title: 'The largest answer fits and comes in time',
    why: 'An answer over the byte cap is refused as a whole, and read in part it would lie.',
    isRequired: false,
    run: largestAnswerFits,
  },
  {
    id: 'limits.slow_stream',
    title: "A stream that drips ends at the caller's deadline and leaves the server usable",
    why: 'A call that holds its connection for ever takes the place of others.',
    isRequired: false,
    run: slowStreamIsSurvived,
  },
  {
    id: 'schema.change_is_said',
    title: 'A changed schema shows up in tools/list',
    why: 'A confirmed call must not reach a tool that means something else by now.',
    isRequired: false,
    run: schemaChangeIsSeen,
  },
];

async function largestAnswerFits({ client, plan }: LabSurroundings): Promise<Finding> {
  if (plan.large === undefined) return notTested('The plan names no such read: add `large`.');
  if (plan.large === 'not_offered') return notApplicable('large answer');
  const answer = await client.call(plan.large);
  if (!answer.result.ok)
    return failed(`it failed: ${wordsOf(answer)}`, 'Page the answer, or let the caller narrow it.');
  return passed(`answered in ${Math.round(answer.latencyMs)} ms`);
}

async function slowStreamIsSurvived({ client, plan }: LabSurroundings): Promise<Finding> {
  const read = plan.effect?.seen_by ?? (plan.empty === 'not_offered' ? undefined : plan.empty);
  if (read === undefined) return notTested('The plan names no read: add `effect.seen_by` or `empty`.');
  if (!(await client.breakNext({ tool: read.tool, kind: 'drip' })))
    return notTested('The server cannot be told to drip: name its fault switch as `faults_url`.');
  const slow = await client.call({ ...read, timeoutMs: 1_000 });
  if (slow.result.ok) return failed('a dripping answer was a success', 'Check the fault switch: kind `drip`.');
  const next = await client.call(read);
  if (!next.result.ok)
    return failed(`the next call failed: ${wordsOf(next)}`, 'End the work of a call whose caller is gone.');
  return passed(`ended after ${Math.round(slow.latencyMs)} ms; the next call works`);
}

async function schemaChangeIsSeen({ client, plan }: LabSurroundings): Promise<Finding> {
  if (plan.effect === undefined) return notTested('The plan names no tool with an effect: add `effect`.');
  const { tool } = plan.effect;
  const schemaOf = async (): Promise<string | null> => {
    const listed = await client.listTools();
    const found = listed.ok ? listed.value.find(({ name }) => name === tool) : undefined;
    return found === undefined ? null : JSON.stringify(found.inputSchema);
  };
  const before = await schemaOf();
  if (!(await client.breakNext({ tool, kind: 'schema_change' })))
    return notTested('The server cannot be told to change a schema: name its fault switch as `faults_url`.');
  if ((await schemaOf()) === before)
    return failed('the list is the same as before', 'Make tools/list from the schemas that calls are checked with.');
  return passed('the new schema is listed');
}
