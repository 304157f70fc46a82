import { type ErrorCode, errorCatalogue, type InputProblem, type Problem } from '@latch/contracts';
import { mask } from '@latch/observability';

/** Why a request gets no answer of the engine. It becomes an RFC 9457 problem. */
export type Refusal = {
  readonly status: number;
  readonly code: ErrorCode;
  /** What is wrong with this request; the catalogue's sentence when left out. It repeats no value that the caller sent. */
  readonly detail?: string;
  readonly errors?: readonly InputProblem[];
  readonly retryAfterSeconds?: number;
  /** What `WWW-Authenticate` says. */
  readonly challenge?: string;
};

/** A refusal of a body or a query that was read and is wrong, with every problem at its path. */
export function invalidRequest(errors: readonly InputProblem[], detail?: string): Refusal {
  return { status: 422, code: 'request.invalid', errors, ...(detail === undefined ? {} : { detail }) };
}

/**
 * The problem document of a refusal. It repeats no value, and where it has to name what the caller named (a field, a parameter), personal data in the name is
 * masked (invariant I16).
 */
export function problemOf(refusal: Refusal, traceId: string): Problem {
  return {
    type: `urn:latch:problem:${refusal.code}`,
    title: titleOfStatus[refusal.status] ?? 'Error',
    status: refusal.status,
    detail: refusal.detail === undefined ? errorCatalogue[refusal.code] : mask(refusal.detail),
    code: refusal.code,
    trace_id: traceId,
    ...(refusal.errors ? { errors: refusal.errors.map(maskedProblem) } : {}),
  };
}

function maskedProblem({ path, message }: InputProblem): InputProblem {
  return { path: mask(path), message: mask(message) };
}

const titleOfStatus: Readonly<Record<number, string>> = {
  400: 'Malformed request',
  401: 'Credential needed',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Body too large',
  415: 'Unsupported media type',
  422: 'Invalid request',
  500: 'Internal error',
  503: 'Unavailable',
};
