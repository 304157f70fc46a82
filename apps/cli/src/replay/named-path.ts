import { ChannelResponse, EventEnvelope, RawOutcome, ToolInvocation, ToolResult } from '@latch/contracts';

/** Members that a contract of ours names; what a tool or a person may have named has none inside. */
type Names = { readonly [name: string]: Names };

/**
 * A path into a personal column as far as our own contracts name it: the members behind are of a tool or a person, and one of them may be a phone number.
 *
 * @param column as `table.column`.
 * @param path of `firstDifference`.
 */
export function namedPath(column: string, path: string): string {
  let names = columns[column] ?? {};
  let end = 1;
  for (const [step, name] of path.slice(1).matchAll(/\[\d+\]|\.(\w+)/gy)) {
    const inside = name === undefined ? names : Object.hasOwn(names, name) ? names[name] : undefined;
    if (inside === undefined) break;
    names = inside;
    end += step.length;
  }
  return end === path.length ? path : `${path.slice(0, end)}.(not shown)`;
}

function namesOf(shape: object, inside: Names = {}): Names {
  return { ...Object.fromEntries(Object.keys(shape).map((name) => [name, {}])), ...inside };
}

const invocation = namesOf(ToolInvocation.shape);
const response = namesOf(ChannelResponse.shape, { metadata: namesOf(ChannelResponse.shape.metadata.shape) });
const outcomes = RawOutcome.options.map((option) => namesOf(option.shape));

const columns: Names = {
  'turns.response': namesOf(EventEnvelope.shape, { payload: response }),
  'approved_invocations.invocation': invocation,
  'tool_ledger.execution': namesOf(ToolResult.shape, { invocation }),
  'tool_attempts.outcome': Object.assign({}, ...outcomes, {
    result: { structuredContent: {}, content: {}, isError: {} },
  }),
};
