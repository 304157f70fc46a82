import { type ErrorCategory, isRecord, type StructuredError } from '@latch/contracts';
import { bodiesOf, firstText, listOf } from './json-value.ts';
import { limits } from './limits.ts';
import { scrub } from './scrub.ts';
import { verdictOfCode } from './verdict-of-code.ts';
import { verdictOfText } from './verdict-of-text.ts';
import { type Verdict } from './verdict.ts';

/** What a foreign error object says, each part only where it says it. */
export type ForeignError = {
  readonly verdict: Verdict | null;
  readonly message: string | null;
  readonly details: Pick<
    StructuredError,
    'attempted' | 'partialResults' | 'alternatives' | 'parameter' | 'retryAfterMs'
  >;
};

/**
 * Reads an error object in any of the shapes in which servers write one: the structured error of seeds/004, `{error: {...}}`, `{error: "text"}`,
 * problem+json, a GraphQL `userErrors` list, a gRPC or SQL code. The category that the object names outranks its code, and the code its text.
 */
export function readForeignError(value: Record<string, unknown>): ForeignError {
  const inner = innerError(value);
  const own = readOwnMembers(inner);
  if (inner === value) return own;
  const outer = readOwnMembers(value);
  return {
    verdict: own.verdict ?? outer.verdict,
    message: own.message ?? outer.message,
    details: { ...outer.details, ...own.details },
  };
}

/** The object that holds the reason: `error`, or the first entry of a list of errors, or the value itself. */
function innerError(value: Record<string, unknown>): Record<string, unknown> {
  const reasons = bodiesOf(value).flatMap(({ error, errors, userErrors }) => [
    error,
    ...listOf(userErrors),
    ...listOf(errors),
  ]);
  return reasons.find(isRecord) ?? value;
}

function readOwnMembers(value: Record<string, unknown>): ForeignError {
  const message = firstText(value, messageNames);
  return {
    verdict: namedVerdict(value) ?? codedVerdict(value) ?? (message === null ? null : verdictOfText(message)),
    message: message === null ? null : scrub(message),
    details: detailsOf(value),
  };
}

const messageNames = [
  'message',
  'error',
  'detail',
  'details',
  'reason',
  'error_description',
  'description',
  'title',
  'mensagem',
  'motivo',
];

const categories: ReadonlyMap<string, ErrorCategory> = new Map([
  ['transient', 'transient'],
  ['validation', 'validation'],
  ['business', 'business'],
  ['permission', 'permission'],
]);

/** Only a transient error may be retried, and not even that where the tool says no (seeds/004: `isRetryable: category == "transient"`). */
function namedVerdict(value: Record<string, unknown>): Verdict | null {
  const name = firstText(value, ['errorCategory', 'error_category', 'category']);
  const errorCategory = categories.get(name?.trim().toLowerCase() ?? '');
  if (errorCategory === undefined) return null;
  return { errorCategory, isRetryable: errorCategory === 'transient' && retryFlag(value) !== false };
}

function codedVerdict(value: Record<string, unknown>): Verdict | null {
  for (const name of ['sqlstate', 'code', 'status', 'statusCode', 'status_code', 'type', 'error', 'reason']) {
    const verdict = verdictOfCode(value[name]);
    if (verdict !== null) return { ...verdict, isRetryable: verdict.isRetryable && retryFlag(value) !== false };
  }
  return null;
}

function retryFlag(value: Record<string, unknown>): boolean | undefined {
  const flag = value.isRetryable ?? value.is_retryable ?? value.retryable;
  return typeof flag === 'boolean' ? flag : undefined;
}

function detailsOf(value: Record<string, unknown>): ForeignError['details'] {
  const attempted = firstText(value, ['attempted', 'query']);
  const partials = listOf(value.partialResults ?? value.partial_results ?? value.partial).slice(0, limits.partials);
  const alternatives = listOf(value.alternatives).filter((entry) => typeof entry === 'string');
  const parameter = parameterOf(value);
  const wait = waitOf(value);
  return {
    ...(attempted === null ? {} : { attempted: scrub(attempted) }),
    ...(partials.length === 0 ? {} : { partialResults: partials }),
    ...(alternatives.length === 0 ? {} : { alternatives: alternatives.slice(0, limits.partials).map(scrub) }),
    ...(parameter === null ? {} : { parameter }),
    ...(wait === null ? {} : { retryAfterMs: wait }),
  };
}

function parameterOf(value: Record<string, unknown>): string | null {
  const field = Array.isArray(value.field) ? value.field.at(-1) : value.field;
  const name = firstText({ ...value, field }, ['parameter', 'param', 'field', 'argument', 'campo']);
  return name === null ? null : scrub(name);
}

function waitOf(value: Record<string, unknown>): number | null {
  const ms = value.retryAfterMs ?? value.retry_after_ms;
  if (typeof ms === 'number' && ms >= 0 && Number.isFinite(ms)) return Math.round(ms);
  const seconds = value.retryAfter ?? value.retry_after;
  return typeof seconds === 'number' && seconds >= 0 && Number.isFinite(seconds) ? Math.round(seconds * 1000) : null;
}
