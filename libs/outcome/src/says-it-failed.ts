import { isRecord } from '@latch/contracts';
import { bodiesOf, listOf } from './json-value.ts';
import { type Payload } from './read-payload.ts';
import { statesFailure } from './verdict-of-text.ts';

/**
 * Whether an answer that is not flagged `isError` says all the same that it failed: an outer `success: false`, a structured error, GraphQL
 * errors, a bulk body with `errors: true`, or, from a tool that may change something, plain text that reads like an error. The protocol layer
 * can be green while the call failed (invariant I22: nothing is claimed that the evidence does not hold).
 *
 * A pre-validator's `eligible: false` is a decision, not a failure (DESIGN section 5).
 */
export function saysItFailed(payload: Payload, isMutatingCall: boolean): boolean {
  const answers = payload.sources.filter((source) => typeof source.eligible !== 'boolean');
  if (answers.flatMap(bodiesOf).some((body) => isFailureBody(body, isMutatingCall))) return true;
  return payload.sources.length === 0 && isErrorText(payload.text, isMutatingCall);
}

function isFailureBody(body: Record<string, unknown>, isMutatingCall: boolean): boolean {
  if (isFailureFlagged(body) || listOf(body.userErrors).length > 0) return true;
  return hasReason(body) && (isMutatingCall || hasOnlyErrorMembers(body));
}

function isFailureFlagged(body: Record<string, unknown>): boolean {
  if ([body.success, body.ok].some((flag) => flag === false || flag === 'false')) return true;
  return body.isError === true || body.errors === true || typeof body.errorCategory === 'string';
}

/** A reason under `error` or `errors`; beside `success: true` it is the remark of a later step, not the failure of this one. */
function hasReason(body: Record<string, unknown>): boolean {
  if (body.success === true || body.ok === true) return false;
  const { error } = body;
  if (error === true || isRecord(error) || (typeof error === 'string' && error.trim() !== '')) return true;
  return listOf(body.errors).length > 0 && (body.data === null || body.data === undefined);
}

const errorMembers = new Set(
  'error errors message code status statusCode detail details data type title reason timestamp path trace_id'.split(
    ' ',
  ),
);

/** A record that a read found may well have an `error` of its own; an answer that is nothing but an error is one. */
function hasOnlyErrorMembers(body: Record<string, unknown>): boolean {
  return Object.keys(body)
    .slice(0, 64)
    .every((name) => errorMembers.has(name));
}

/** A read may well return prose about errors; a tool with an effect answers with evidence of it. */
function isErrorText(text: string, isMutatingCall: boolean): boolean {
  if (/^(?:MCP error -\d|Error: |Error executing )/.test(text)) return true;
  return isMutatingCall && text.length <= 500 && statesFailure(text);
}
