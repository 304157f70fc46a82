import { RetryableError, type RetryableKind } from '@latch/contracts';
import pg from 'pg';

/** SQLSTATE classes whose failure says nothing about the statement: connection, resources, operator intervention, system. */
const retryableClasses = ['08', '53', '57', '58'];

/** Serialization failure, deadlock, lock time-out, a standby after a failover. */
const retryableStates = ['40001', '40P01', '55P03', '25006'];

/** Statement time-out, idle in transaction for too long, transaction time-out: the server was slow, or the work is what takes too long. */
const timeOutStates = ['57014', '25P03', '25P04'];

/** Keys whose violation means that another writer was first; the key of events has the name of its partition. */
const versionKeys = /^(events(_\w+)?|conversations)_pkey$/;

/**
 * What a failed statement means for its caller: a `RetryableError` where the same work may succeed later (connection, locks, another writer was
 * first), else the error as it is, which is a bug. Its kind says how often the work may be repeated: for as long as it takes when something is away or
 * locked (`unavailable`); a few times and then in smaller parts when it took longer than a statement or a transaction may (`time_out`); three times, loaded and
 * decided anew, when another writer was first (`conflict`).
 */
export function asStoreError(error: unknown): unknown {
  if (error instanceof RetryableError || error instanceof TypeError || error instanceof RangeError) return error;
  if (!(error instanceof pg.DatabaseError)) return connectionTrouble(error);
  if (isVersionConflict(error)) return versionConflict(error.detail ?? error.message, error);
  const kind = retryableKindOf(error.code);
  if (kind === null) return error;
  return new RetryableError(`The database did not do it this time (${error.code})`, { cause: error, kind });
}

/** Another writer was first: nothing of this batch is stored; load and decide again. */
export function versionConflict(detail: string, cause?: unknown): RetryableError {
  return new RetryableError(`Version conflict: ${detail}`, { cause, kind: 'conflict' });
}

/**
 * Reads "a key that the statement names belongs to a row of another tenant" (row-level security: it can neither see nor write that) as "nothing was saved". Any
 * other error rises.
 */
export function nothingSaved(error: unknown): readonly never[] {
  if (error instanceof pg.DatabaseError && error.code === '42501' && error.routine === 'ExecWithCheckOptions')
    return [];
  throw error;
}

/** Whatever the driver says that is not an answer of the server is about the connection. */
function connectionTrouble(error: unknown): RetryableError {
  return new RetryableError('The connection to the database failed', { cause: error, retryAfterMs: 250 });
}

function isVersionConflict(error: pg.DatabaseError): boolean {
  return error.code === '23505' && versionKeys.test(error.constraint ?? '');
}

function retryableKindOf(state: string | undefined): RetryableKind | null {
  if (state === undefined) return null;
  if (timeOutStates.includes(state)) return 'time_out';
  const isAway = retryableStates.includes(state) || retryableClasses.some((stateClass) => state.startsWith(stateClass));
  return isAway ? 'unavailable' : null;
}
