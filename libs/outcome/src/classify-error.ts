import {
  type CallToolResult,
  defaultAlternatives,
  defaultMessages,
  type ErrorCode,
  isRecord,
  type RawOutcome,
  type StructuredError,
} from '@latch/contracts';
import { classifyHttpError } from './classify-http-error.ts';
import { firstText, parseJson } from './json-value.ts';
import { type ForeignError, readForeignError } from './read-foreign-error.ts';
import { type Payload, readPayload } from './read-payload.ts';
import { scrub } from './scrub.ts';
import { structuredError } from './structured-error.ts';
import { verdictOfRpcCode } from './verdict-of-code.ts';
import { business, permission, transient, validation, type Verdict } from './verdict.ts';
import { complainsAboutSize, verdictOfText } from './verdict-of-text.ts';

/**
 * Says of a raw outcome who can act on it: the one place where a tool failure gets its category (seeds/004, "Categorias de erro e retryability").
 * Total, and closed: a shape that says nothing about why is `tool.unclassified`, category business, never retried.
 *
 * It classifies the error alone. Whether a repeat is safe for the effect (a mutating call that may have happened) is `readToolResult`'s
 * and the executor's question, see `mayHaveHappened`.
 *
 * @param context.now when the answer arrived; needed only to read a `Retry-After` that is a date.
 */
export function classifyError(outcome: RawOutcome, context: { readonly now?: string | null } = {}): StructuredError {
  switch (outcome.kind) {
    case 'result':
      return classifyResult(outcome.result);
    case 'protocol_error':
      return classifyProtocolError(outcome);
    case 'http_error':
      return classifyHttpError(outcome, context.now ?? null);
    case 'transport_error':
      return classifyTransportError(outcome);
    case 'timeout':
      return structuredError(transient, 'tool.timeout', `No answer within ${outcome.timeout_ms} ms.`);
    case 'input_required':
      return classifyInputRequired(outcome);
    case 'refused':
      return ourOwn(outcome.error);
    case 'lost':
      return structuredError({ ...transient, isRetryable: false }, 'tool.outcome_lost', scrub(outcome.reason));
    default:
      return outcome satisfies never;
  }
}

/** Classifies an answer that is an error, by its flag or by what it says. */
export function classifyPayload(payload: Payload): StructuredError {
  if (payload.defect !== null) return defectError(payload.defect);
  const foreign = payload.sources.map(readForeignError).find(saysSomething);
  if (foreign !== undefined) return fromForeign(foreign);
  return classifyText(payload.text);
}

/** Classifies the words of an error. `MCP error -32602: …` is how servers of the SDK put a JSON-RPC error into a result. */
export function classifyText(text: string): StructuredError {
  const wrapped = /^(?:Error: )?MCP error (-\d{1,6}): ?/.exec(text);
  if (wrapped !== null) return classifyRpc(Number(wrapped[1]), text.slice(wrapped[0].length));
  const message = scrub(text);
  const verdict = verdictOfText(text);
  if (verdict === null) return structuredError(business, 'tool.unclassified', message || defaultMessages.saidNothing);
  const error = structuredError(verdict, 'tool.error', message);
  return complainsAboutSize(text) ? { ...error, alternatives: [defaultAlternatives.askForLess] } : error;
}

/** An answer that cannot be read at all: named, and not retried, because the same call would give the same answer. */
export function defectError(defect: 'too_large' | 'too_deep'): StructuredError {
  if (defect === 'too_deep')
    return structuredError(business, 'tool.result_unreadable', 'The answer of the tool nests too deeply to be read.');
  return {
    ...structuredError(validation, 'tool.result_too_large', 'The answer of the tool is larger than what is read.'),
    alternatives: [defaultAlternatives.askForLess],
  };
}

function classifyResult(result: CallToolResult): StructuredError {
  return classifyPayload(readPayload(result));
}

function saysSomething(foreign: ForeignError): boolean {
  return foreign.verdict !== null || foreign.message !== null;
}

function fromForeign({ verdict, message, details }: ForeignError): StructuredError {
  const text = message ?? defaultMessages.saidNothing;
  const error = structuredError(verdict ?? business, verdict === null ? 'tool.unclassified' : 'tool.error', text);
  return { ...error, ...details };
}

function classifyProtocolError(outcome: Extract<RawOutcome, { kind: 'protocol_error' }>): StructuredError {
  const text = outcome.message.replace(/^MCP error -\d{1,6}: ?/, '');
  const data = isRecord(outcome.data) ? readForeignError(outcome.data) : null;
  if (data?.verdict === null || data === null) return classifyRpc(outcome.code, text);
  return { ...fromForeign({ ...data, message: data.message ?? scrub(text) }), code: 'tool.protocol_error' };
}

/** An error that Latch wrote, held to the same rules as any other: only a transient one may be retried, and its words may hold what a server said. */
export function ourOwn(error: StructuredError): StructuredError {
  const isRetryable = error.isRetryable && error.errorCategory === 'transient';
  return { ...error, isRetryable, message: scrub(error.message) };
}

/** The message is read only where the code leaves the category open: internal, server-defined and foreign codes. */
function classifyRpc(code: number, text: string): StructuredError {
  const verdict = verdictOfRpcCode(code) ?? verdictOfText(text);
  const message = scrub(text) || `JSON-RPC error ${code}.`;
  if (verdict === null) return structuredError(business, 'tool.unclassified', message);
  return structuredError(verdict, 'tool.protocol_error', message);
}

/** The same call would be asked the same again: it takes the missing values. */
function classifyInputRequired(outcome: Extract<RawOutcome, { kind: 'input_required' }>): StructuredError {
  const properties = outcome.requestedSchema['properties'];
  const missing = isRecord(properties) ? Object.keys(properties) : [];
  const message = scrub(outcome.message) || 'The tool asks for more.';
  const error = structuredError(validation, 'tool.input_required', message);
  return missing.length === 0 ? error : { ...error, missing };
}

/** Codes that `libs/mcp` gives to an answer which is none, beside the codes of sockets. */
const answerCodes: ReadonlyMap<string, readonly [Verdict, ErrorCode]> = new Map([
  ['result_too_large', [validation, 'tool.result_too_large']],
  ['result_unreadable', [business, 'tool.result_unreadable']],
  ['origin_not_allowed', [permission, 'tool.not_allowed']],
]);

function classifyTransportError(outcome: Extract<RawOutcome, { kind: 'transport_error' }>): StructuredError {
  const message = scrub(outcome.message) || outcome.code;
  // The handshake's answer was none: no tool was called, and the next handshake may well succeed.
  if (outcome.code === 'result_unreadable' && !outcome.sent)
    return structuredError(transient, 'tool.unreachable', message);
  const known = answerCodes.get(outcome.code);
  if (known !== undefined) return structuredError(known[0], known[1], message);
  const code = outcome.sent ? 'tool.connection_lost' : 'tool.unreachable';
  return structuredError(isCertificateProblem(outcome.code) ? business : transient, code, message);
}

/** A certificate does not get valid by asking again. */
function isCertificateProblem(code: string): boolean {
  return /CERT|^ERR_TLS|UNABLE_TO_VERIFY|SELF_SIGNED/.test(code);
}

/** The reason of one item, read as the reason of a call would be. */
export function isRetryableReason(entry: Record<string, unknown>): boolean {
  const text = firstText(entry, ['reason', 'error', 'message']);
  const foreign = readForeignError(entry);
  if (foreign.verdict !== null) return foreign.verdict.isRetryable;
  const parsed = text === null ? undefined : parseJson(text);
  return isRecord(parsed) && (readForeignError(parsed).verdict?.isRetryable ?? false);
}
