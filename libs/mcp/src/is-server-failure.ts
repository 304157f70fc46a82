import { type RawOutcome } from '@latch/contracts';

/**
 * Whether an outcome speaks against the server's health, and so counts for its breaker: no connection, a broken one, no answer in time, 5xx. Every
 * answer that makes sense speaks for it, also one that says no: a bad request or a throttled caller is no sickness of the server.
 */
export function isServerFailure(outcome: RawOutcome): boolean {
  switch (outcome.kind) {
    case 'timeout':
      return true;
    case 'transport_error':
      return !harmlessCodes.includes(outcome.code);
    case 'http_error':
      return outcome.status >= 500;
    case 'result':
    case 'protocol_error':
    case 'input_required':
    case 'refused':
    case 'lost':
      return false;
    default:
      return outcome satisfies never;
  }
}

/** Given up by us, or answered in a way that only this call minds. */
const harmlessCodes: readonly string[] = ['aborted', 'result_too_large', 'origin_not_allowed'];
