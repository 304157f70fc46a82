import { readFile } from 'node:fs/promises';
import { failure, problemsOf, type Result, success } from '@latch/contracts';
import { parse } from 'yaml';
import { z } from 'zod';

const Arguments = z.record(z.string(), z.unknown());
const Call = z.strictObject({ tool: z.string().min(1), arguments: Arguments.default({}) });
const offered = <T extends z.ZodType>(call: T): z.ZodUnion<[z.ZodLiteral<'not_offered'>, T]> =>
  z.union([z.literal('not_offered'), call]);

/**
 * What the lab may call on a domain server, written by the team that owns it: only they know which calls are harmless on their test system. A part that is
 * left out is not tested, and then the server is not called transaction-ready; `not_offered` says that the server has no such thing.
 */
export const LabPlan = z.strictObject({
  name: z.string().min(1).max(100).describe('How the server is called in the report.'),
  timeout_ms: z
    .int()
    .min(100)
    .max(120_000)
    .default(10_000)
    .describe('Milliseconds that an ordinary call may take; default 10,000.'),
  reset_url: z
    .url()
    .optional()
    .describe('POST here puts the test system back to its first state; called before each check.'),
  faults_url: z
    .url()
    .optional()
    .describe(
      'Fault switch as the sample servers have it: POST {tool, kind, delayMs, times}. Without it some checks provoke the fault from outside.',
    ),
  effect: z
    .strictObject({
      tool: z.string().min(1).describe('A tool with an effect.'),
      calls: z
        .array(Arguments)
        .min(1)
        .describe(
          'Arguments of calls that succeed. With reset_url two are enough; without it each check uses up the next.',
        ),
      seen_by: Call.optional().describe('A read whose answer changes when the effect happens, and only then.'),
    })
    .optional(),
  items: offered(
    Call.extend({
      item_argument: z.string().optional().describe('The argument that lists the items; default: the only array.'),
      succeed: z.array(z.string()).min(1).describe('Names or ids of items that succeed.'),
      fail: z.array(z.string()).min(1).describe('Names or ids of items that fail, each for a reason of the domain.'),
    }),
  ).optional(),
  reconcile: offered(
    Call.extend({ key_argument: z.string().default('idempotency_key').describe('The argument that takes the key.') }),
  ).optional(),
  invalid: Call.extend({ parameter: z.string().describe('The argument that is wrong.') }).optional(),
  refused: offered(Call).optional().describe('A call that a rule of the business forbids.'),
  denied: offered(Call).optional().describe('A call that the caller has no right to.'),
  empty: offered(Call).optional().describe('A read that finds nothing.'),
  large: offered(Call).optional().describe('The read with the largest answer.'),
});
export type LabPlan = z.output<typeof LabPlan>;
/** One call of a plan. */
export type PlannedCall = z.output<typeof Call>;

/**
 * Reads a plan. Without a file: a plan that tests only what needs no knowledge of the domain.
 *
 * @returns every problem of the file at once, each with the place and what to write there.
 */
export async function readLabPlan(file: string | undefined): Promise<Result<LabPlan, readonly string[]>> {
  if (file === undefined) return success(LabPlan.parse({ name: 'MCP server' }));
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return failure([
      `${file} cannot be read: ${String(error)}. Name a plan file, such as deploy/lab/mcp-telecom.yaml.`,
    ]);
  }
  return parsePlan(text);
}

/** Reads the text of a plan; see {@link readLabPlan}. */
export function parsePlan(text: string): Result<LabPlan, readonly string[]> {
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    return failure([`The plan is no YAML: ${String(error)}`]);
  }
  const plan = LabPlan.safeParse(document);
  if (plan.success) return success(plan.data);
  return failure(problemsOf(plan.error).map(({ path, message }) => `${path}: ${message}`));
}
