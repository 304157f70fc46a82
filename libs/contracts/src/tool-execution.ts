import { z } from 'zod';
import { personal } from './personal.ts';
import { Instant } from './instant.ts';
import { StructuredError } from './structured-error.ts';
import { ToolInvocation } from './tool-invocation.ts';
import { pinned } from './pinned.ts';

/**
 * An MCP `CallToolResult` as the server sent it; the shape is data and is read by `libs/outcome`, not trusted here.
 *
 * @example { content: [{ type: 'text', text: '{"ok":true}' }], isError: false }
 * @see MCP specification, tools/call
 */
export const CallToolResult = z.looseObject({
  content: z.array(z.unknown()).optional().describe('Content blocks.'),
  structuredContent: z.unknown().optional().describe('The structured answer, where the tool gives one.'),
  isError: z.unknown().optional().describe('True when the tool says that it failed.').meta(pinned('The tool itself says that it failed. Absent or false says nothing about the items.')),
});
export type CallToolResult = z.infer<typeof CallToolResult>;

const sent = z
  .boolean()
  .describe('Whether the request may have reached the server.')
  .meta(pinned('False only when the request cannot have left: only then is it certain that nothing happened.'));

/**
 * What came back from one attempt, before any reading of it.
 *
 * @example { kind: 'timeout', timeout_ms: 10000, sent: true }
 * @see DESIGN sections 5 and 6
 */
export const RawOutcome = z.discriminatedUnion('kind', [
  z
    .looseObject({
      kind: z.literal('result'),
      result: CallToolResult,
      schema_problems: z
        .array(z.string())
        .optional()
        .describe("In what a success breaks the output schema that the tool declares. It is the server's mistake and no failure of the call."),
    })
    .describe('The server answered.'),
  z
    .looseObject({
      kind: z.literal('protocol_error'),
      code: z.number().describe('JSON-RPC error code.'),
      message: z.string().describe("The server's words."),
      data: z.unknown().optional().describe("The server's data."),
    })
    .describe('The server answered with a JSON-RPC error.'),
  z
    .looseObject({
      kind: z.literal('http_error'),
      status: z.number().int().describe('HTTP status code.'),
      body: z.string().describe('Beginning of the body.'),
      retry_after: z.string().nullish().describe('The Retry-After header.'),
    })
    .describe('The server answered with an HTTP error.'),
  z
    .looseObject({
      kind: z.literal('transport_error'),
      code: z.string().meta({ description: 'What happened to the connection.', examples: ['ECONNREFUSED'] }),
      message: z.string().describe('The same in words.'),
      sent,
    })
    .describe('The connection failed. `sent` is false only when the request cannot have left.'),
  z
    .looseObject({
      kind: z.literal('timeout'),
      timeout_ms: z.number().int().positive().describe('The deadline, in milliseconds.'),
      sent,
    })
    .describe('Our own deadline passed.'),
  z
    .looseObject({
      kind: z.literal('input_required'),
      message: z.string().describe("What the server asks for, in the server's words."),
      requestedSchema: z
        .record(z.string(), z.unknown())
        .describe('The JSON Schema of the answer that it wants; its properties are what is missing.'),
      result: CallToolResult.optional().describe(
        'How the tool ended after its question was cancelled. Set where that is no error: then the effect may have come about all the same.',
      ),
    })
    .describe('The tool asked for input (MCP elicitation), which was answered with `cancel`.'),
  z
    .looseObject({ kind: z.literal('refused'), error: StructuredError })
    .describe('The executor did not call: not allowed, capsule mismatch, expired, breaker open.'),
  z
    .looseObject({ kind: z.literal('lost'), reason: z.string().describe('What is known.') })
    .describe('A crash lies between the call and its outcome and nothing could be asked: nobody knows.'),
]);
export type RawOutcome = z.infer<typeof RawOutcome>;

/**
 * One attempt of a call, as the ledger recorded it.
 *
 * @example { number: 1, started_at: '2026-06-19T12:00:00Z', ended_at: '2026-06-19T12:00:00.140Z' }
 * @see DESIGN section 6
 */
export const Attempt = z.looseObject({
  number: z.number().int().positive().describe('From 1.'),
  started_at: Instant.describe('When it was committed that the call would be made, UTC.'),
  ended_at: Instant.optional().describe('When its outcome was known, UTC.'),
  outcome: RawOutcome.optional().describe('What came back.'),
  step: z.string().optional().describe("The step of the tool's workflow that was called; absent for the call of the tool itself."),
});
export type Attempt = z.infer<typeof Attempt>;

/**
 * What became of one step of a workflow.
 *
 * @example { id: 'avisar', tool_name: 'enviar_aviso', primary: false, has_effect: true, state: 'failed', error: { ... } }
 * @see DESIGN section 6
 */
export const WorkflowStepEvidence = z.looseObject({
  id: z.string().min(1).describe('The step, by its id in workflows.yaml; `step` of its attempts is the id, or `<id>:<item>`.'),
  tool_name: z.string().min(1).describe('The tool that it calls.'),
  primary: z.boolean().describe('Whether its result is the result of the whole. True for exactly one step.'),
  has_effect: z.boolean().describe('Whether the tool may change the world.'),
  state: z
    .enum(['succeeded', 'partly', 'failed', 'unknown', 'skipped'])
    .describe('How it ended. `partly`: of several items; `skipped`: an earlier step ended the workflow.'),
  error: StructuredError.optional().describe('Why, where it did not succeed.'),
});
export type WorkflowStepEvidence = z.infer<typeof WorkflowStepEvidence>;

/**
 * A finished tool call in raw form: what was asked, each attempt, and the last outcome. Input of the normalizer.
 *
 * @example { invocation_id: 'inv-1', invocation: { ... }, outcome: { kind: 'result', result: { ... } }, attempts: [...], latency_ms: 140 }
 * @see DESIGN sections 3 and 6
 */
export const ToolExecution = z
  .looseObject({
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['tool-execution-v1'] }),
    invocation_id: z.string().min(1).describe('The logical call.'),
    invocation: ToolInvocation.describe('What was asked.').meta(personal),
    server: z.string().optional().describe('The MCP server, by its name in mcp_servers.yaml.'),
    outcome: RawOutcome.describe('What came back last.'),
    attempts: z.array(Attempt).describe('Every attempt, in order.').meta(personal),
    workflow: z
      .looseObject({
        output: z.record(z.string(), z.unknown()).describe('Output per tool name.'),
        steps: z
          .array(WorkflowStepEvidence)
          .optional()
          .describe('Every step in order. With it, `outcome` is the primary step\'s, or that of the step that kept it from running.'),
      })
      .optional()
      .describe('Set where the tool ran as a workflow; `output[tool_name].results` is the preferred evidence.').meta(personal),
    declared_idempotent: z.boolean().optional().describe("The operator's declaration that repeating is harmless."),
    cache: z
      .looseObject({
        hit: z.boolean().describe('Whether the answer came from the cache.'),
        ttl_seconds: z.number().nonnegative().describe('How long it may be kept, in seconds.'),
      })
      .optional()
      .describe('Set for declared reads.'),
    latency_ms: z.number().nonnegative().describe('All attempts together, in milliseconds.'),
    rebuilt: z
      .looseObject({
        sequence: z.number().int().positive().describe('The event of the conversation that holds the result.'),
      })
      .optional()
      .describe("Set where the executor's own record was lost and this one was made again from the events: the call has ended, what came back raw is not known, and `outcome` is `lost`.")
      .meta(pinned('The call has ended and its result stands in the event. This record itself is no evidence of how it ended.')),
  })
  .meta({
    description: 'A finished tool call in raw form: what was asked, each attempt, and the last outcome.',
    'x-source': 'DESIGN sections 3 and 6',
  });
export type ToolExecution = z.infer<typeof ToolExecution>;
