import { RetryableError } from '@latch/contracts';
import pg from 'pg';

/** SQLSTATE classes whose failure says nothing about the statement: connection, resources, operator intervention, system. */
const retryableClasses = ['08', '53', '57', '58'];

/** Serialization failure, deadlock, lock time-out, idle-in-transaction and transaction time-out, a standby after a failover. */
const retryableStates = ['40001', '40P01', '55P03', '25P03', '25P04', '25006'];

/** Keys whose violation means that another writer was first. */
const versionKeys = ['events_pkey', 'conversations_pkey'];

/**
 * What a failed statement means for its caller: a `RetryableError` where the same work may succeed later (connection, locks, another writer was
 * first), else the error as it is, which is a bug.
 */
export function asStoreError(error: unknown): unknown {
  if (error instanceof RetryableError || error instanceof TypeError || error instanceof RangeError) return error;
  if (!(error instanceof pg.DatabaseError)) return connectionTrouble(error);
  if (isVersionConflict(error)) return versionConflict(error.detail ?? error.message, error);
  if (isRetryableState(error.code)) {
    return new RetryableError(`The database did not do it this time (${error.code})`, { cause: error });
  }
  return error;
}

/** Another writer was first: nothing of this batch is stored; load and decide again. */
export function versionConflict(detail: string, cause?: unknown): RetryableError {
  return new RetryableError(`Version conflict: ${detail}`, { cause });
}

/** Whatever the driver says that is not an answer of the server is about the connection. */
function connectionTrouble(error: unknown): RetryableError {
  return new RetryableError('The connection to the database failed', { cause: error, retryAfterMs: 250 });
}

function isVersionConflict(error: pg.DatabaseError): boolean {
  return error.code === '23505' && versionKeys.includes(error.constraint ?? '');
}

function isRetryableState(state: string | undefined): boolean {
  if (state === undefined) return false;
  return retryableStates.includes(state) || retryableClasses.some((stateClass) => state.startsWith(stateClass));
}
