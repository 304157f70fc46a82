import { z } from 'zod';
import { Instant } from './instant.ts';
import { StructuredError } from './structured-error.ts';
import { ToolInvocation } from './tool-invocation.ts';

/** An MCP `CallToolResult` as the server sent it; the shape is data and is read by `libs/outcome`, not trusted here. */
export const CallToolResult = z.looseObject({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.unknown().optional(),
});
export type CallToolResult = z.infer<typeof CallToolResult>;

/** What came back from one attempt, before any reading of it. */
export const RawOutcome = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('result'), result: CallToolResult }),
  z.looseObject({
    kind: z.literal('protocol_error'),
    code: z.number(),
    message: z.string(),
    data: z.unknown().optional(),
  }),
  z.looseObject({
    kind: z.literal('http_error'),
    status: z.number().int(),
    body: z.string(),
    retry_after: z.string().nullish(),
  }),
  /** The connection failed. `sent`: whether the request may have reached the server (false only for a refused connection). */
  z.looseObject({ kind: z.literal('transport_error'), code: z.string(), message: z.string(), sent: z.boolean() }),
  /** Our own deadline passed. */
  z.looseObject({ kind: z.literal('timeout'), timeout_ms: z.number().int().positive(), sent: z.boolean() }),
  /** The executor did not call: not allowed, capsule mismatch, expired, breaker open. */
  z.looseObject({ kind: z.literal('refused'), error: StructuredError }),
  /** A crash lies between the call and its outcome and nothing could be asked: nobody knows. */
  z.looseObject({ kind: z.literal('lost'), reason: z.string() }),
]);
export type RawOutcome = z.infer<typeof RawOutcome>;

/** One attempt of a call, as the ledger recorded it. */
export const Attempt = z.looseObject({
  number: z.number().int().positive(),
  started_at: Instant,
  ended_at: Instant.optional(),
  outcome: RawOutcome.optional(),
});
export type Attempt = z.infer<typeof Attempt>;

/** A finished tool call in raw form: what was asked, each attempt, and the last outcome. Input of the normalizer. */
export const ToolExecution = z.looseObject({
  contract_version: z.string().optional(),
  invocation_id: z.string().min(1),
  invocation: ToolInvocation,
  server: z.string().optional(),
  outcome: RawOutcome,
  attempts: z.array(Attempt),
  /** Output per tool name, where the tool ran as a workflow; `workflow.output[tool_name].results` is the preferred evidence. */
  workflow: z.looseObject({ output: z.record(z.string(), z.unknown()) }).optional(),
  /** The operator's declaration that repeating the call is harmless. */
  declared_idempotent: z.boolean().optional(),
  cache: z.looseObject({ hit: z.boolean(), ttl_seconds: z.number().nonnegative() }).optional(),
  latency_ms: z.number().nonnegative(),
});
export type ToolExecution = z.infer<typeof ToolExecution>;
