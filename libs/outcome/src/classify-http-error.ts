import { isRecord, type RawOutcome, type StructuredError } from '@latch/contracts';
import { parseJson } from './json-value.ts';
import { readForeignError } from './read-foreign-error.ts';
import { retryAfterMs } from './retry-after.ts';
import { scrub } from './scrub.ts';
import { structuredError } from './structured-error.ts';
import { business, transient, type Verdict } from './verdict.ts';
import { verdictOfHttpStatus } from './verdict-of-code.ts';
import { verdictOfText } from './verdict-of-text.ts';

/**
 * Classifies an HTTP answer that is no MCP message. The status decides, except where it is known to be used for two things and the body tells
 * which: 403 with a wait is throttling, 429 without hope is a quota, 404 may be about the MCP session, 409 about a call still in progress.
 */
export function classifyHttpError(
  outcome: Extract<RawOutcome, { kind: 'http_error' }>,
  now: string | null,
): StructuredError {
  const wait = retryAfterMs(outcome.retry_after, now);
  const verdict = verdictOf(outcome, wait !== undefined);
  const error = structuredError(
    verdict ?? business,
    verdict === null ? 'tool.unclassified' : 'tool.http_error',
    messageOf(outcome),
  );
  return verdict?.isRetryable === true && wait !== undefined ? { ...error, retryAfterMs: wait } : error;
}

const ambiguousStatuses: readonly number[] = [403, 404, 409, 429];

function verdictOf({ status, body }: { status: number; body: string }, hasWait: boolean): Verdict | null {
  const byStatus = verdictOfHttpStatus(status);
  if (!ambiguousStatuses.includes(status)) return byStatus;
  if (status === 403 && hasWait) return transient;
  const said = verdictOfBody(body);
  if (status === 429) return said === null || said.errorCategory === 'validation' ? byStatus : said;
  return said?.errorCategory === 'transient' ? said : byStatus;
}

function verdictOfBody(body: string): Verdict | null {
  const parsed = parseJson(body);
  return isRecord(parsed) ? readForeignError(parsed).verdict : verdictOfText(body);
}

function messageOf({ status, body }: { status: number; body: string }): string {
  const parsed = parseJson(body);
  const said = isRecord(parsed) ? readForeignError(parsed).message : null;
  const text = said ?? (/^\s*</.test(body) ? '' : scrub(body));
  return text === '' ? `HTTP ${status}.` : `HTTP ${status}: ${text}`;
}
