import { business, permission, transient, validation, type Verdict } from './verdict.ts';

/**
 * Reads the category out of a machine-readable code: a gRPC status, an SQLSTATE, a socket error, an HTTP status as a number, or one of the
 * words that APIs use as codes. Null for a code that nobody here knows, which is then not retried.
 */
export function verdictOfCode(code: unknown): Verdict | null {
  if (typeof code === 'number') return code < 0 ? verdictOfRpcCode(code) : verdictOfHttpStatus(code);
  if (typeof code !== 'string' || code.length > 100) return null;
  const name = code
    .trim()
    .toUpperCase()
    .replace(/[\s.-]/g, '_');
  return (
    named.get(name) ?? verdictOfSqlState(name) ?? (/^[45]\d\d$/.test(name) ? verdictOfHttpStatus(Number(name)) : null)
  );
}

/** The category of an HTTP status alone (RFC 9110 section 15); null where the status says nothing about who could act. */
export function verdictOfHttpStatus(status: number): Verdict | null {
  const exact = statuses.get(status);
  if (exact !== undefined) return exact;
  return status >= 500 && status <= 599 && status !== 501 && status !== 505 ? transient : null;
}

/** The category of a JSON-RPC 2.0 code; null for internal, server-defined and foreign codes, whose message has to be read. */
export function verdictOfRpcCode(code: number): Verdict | null {
  return rpcCodes.get(code) ?? null;
}

const statuses: ReadonlyMap<number, Verdict> = new Map([
  [400, validation],
  [401, permission],
  [402, business],
  [403, permission],
  [404, business],
  [408, transient],
  [409, business],
  [410, business],
  [412, business],
  [413, validation],
  [414, validation],
  [416, validation],
  [422, validation],
  [423, business],
  [425, transient],
  [429, transient],
  [451, permission],
]);

/** -32700 parse error, -32600 invalid request, -32601 method not found, -32602 invalid params, -32002 resource not found. */
const rpcCodes: ReadonlyMap<number, Verdict> = new Map(
  [-32700, -32600, -32601, -32602, -32002].map((code) => [code, validation]),
);

const named: ReadonlyMap<string, Verdict> = new Map([
  ...each(
    transient,
    // gRPC (grpc.github.io/grpc/core/md_doc_statuscodes.html)
    'UNAVAILABLE DEADLINE_EXCEEDED RESOURCE_EXHAUSTED ABORTED',
    // sockets and resolvers, as Node and undici name them
    'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EAI_AGAIN ENOTFOUND UND_ERR_SOCKET UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT',
    // what APIs write into `code`
    'TRANSIENT TIMEOUT TIMED_OUT RATE_LIMIT RATE_LIMITED RATE_LIMIT_EXCEEDED TOO_MANY_REQUESTS THROTTLED THROTTLING SERVICE_UNAVAILABLE',
    'TEMPORARILY_UNAVAILABLE IDEMPOTENCY_KEY_IN_USE REQUEST_IN_PROGRESS DEADLOCK DEADLOCK_DETECTED REJECTED_EXECUTION UPSTREAM_TIMEOUT',
  ),
  ...each(
    validation,
    'INVALID_ARGUMENT OUT_OF_RANGE VALIDATION VALIDATION_ERROR INVALID_REQUEST INVALID_PARAMS INVALID_PARAMETER INVALID_INPUT BAD_REQUEST',
    'MISSING_PARAMETER REQUIRED UNPROCESSABLE_ENTITY RESPONSE_TOO_LARGE',
  ),
  ...each(
    permission,
    'PERMISSION_DENIED UNAUTHENTICATED UNAUTHORIZED FORBIDDEN ACCESS_DENIED PERMISSION INSUFFICIENT_SCOPE',
  ),
  ...each(
    business,
    'NOT_FOUND ALREADY_EXISTS FAILED_PRECONDITION CONFLICT BUSINESS BUSINESS_RULE INSUFFICIENT_QUOTA INSUFFICIENT_FUNDS QUOTA_EXCEEDED',
    'NOT_ELIGIBLE OUT_OF_STOCK ALREADY_SHIPPED ALREADY_CANCELLED CANCELLED CANCELED UNREGISTERED',
  ),
]);

function each(verdict: Verdict, ...codes: readonly string[]): readonly (readonly [string, Verdict])[] {
  return codes.flatMap((line) => line.split(' ').map((code) => [code, verdict] as const));
}

/** Classes of PostgreSQL's appendix A; a victim of a deadlock or a serialization failure was rolled back whole, so a repeat is safe. */
function verdictOfSqlState(code: string): Verdict | null {
  if (!/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return null;
  if (['40001', '40P01', '55P03', '57P01', '57P03'].includes(code) || code.startsWith('08') || code.startsWith('53'))
    return transient;
  if (code === '42501' || code.startsWith('28')) return permission;
  if (code.startsWith('22')) return validation;
  return code.startsWith('23') ? business : null;
}
