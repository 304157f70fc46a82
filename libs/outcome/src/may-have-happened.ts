import { type RawOutcome, type ToolExecution, type ToolInvocation } from '@latch/contracts';

/**
 * Whether a call may change the world. Fails closed: only a declared read and the two purposes that may have no effect by contract
 * (pre-validation and reconciliation) are taken for harmless.
 */
export function isMutating(invocation: Pick<ToolInvocation, 'operation_type' | 'purpose'>): boolean {
  if (invocation.purpose === 'pre_validation' || invocation.purpose === 'reconcile') return false;
  return invocation.operation_type !== 'read_only';
}

/**
 * Whether the effect of an attempt may have come about although its answer does not say so (STYLE rule 26). An answer of the tool and a
 * refusal before the tool began are certain; everything in between is not.
 */
export function mayHaveHappened(outcome: RawOutcome): boolean {
  // An error of the handshake before the call: `libs/mcp` says that the request itself was never sent.
  if (outcome.sent === false) return false;
  switch (outcome.kind) {
    case 'result':
    case 'refused':
      return false;
    case 'protocol_error':
      return isUncertainRpcCode(outcome.code);
    case 'http_error':
      return isUncertainStatus(outcome.status);
    case 'transport_error':
    case 'timeout':
      return outcome.sent;
    // A tool that failed when its question was cancelled did nothing; one that went on may have done anything.
    case 'input_required':
      return outcome.result !== undefined;
    case 'lost':
      return true;
    default:
      return outcome satisfies never;
  }
}

/** Whether the last outcome, or an earlier attempt that a later one could not clear up, leaves the effect open. */
export function isUncertain(execution: ToolExecution): boolean {
  if (mayHaveHappened(execution.outcome)) return true;
  const last = execution.attempts.length - 1;
  return execution.attempts.some(({ outcome }, index) =>
    outcome === undefined ? index < last : mayHaveHappened(outcome),
  );
}

/** An internal error, and the codes that servers and clients use for a connection or a time-out, come from the middle of the work. */
function isUncertainRpcCode(code: number): boolean {
  return code === -32603 || (code <= -32000 && code >= -32099 && code !== -32002 && code !== -32042);
}

/**
 * A 5xx may come from an intermediary after the request had gone on (502, 504, and 503 of a reset upstream), or from a server that broke
 * after the effect (500). A 4xx is an answer before the work, except 409 about a call with this key that is still running.
 */
function isUncertainStatus(status: number): boolean {
  return status < 300 || status === 409 || (status >= 500 && status !== 501 && status !== 505);
}
