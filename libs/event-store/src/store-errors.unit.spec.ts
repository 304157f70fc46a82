import { describe, expect, it } from '@jest/globals';
import { RetryableError } from '@latch/contracts';
import pg from 'pg';
import { asStoreError } from './store-errors.ts';

function serverError(code: string, constraint?: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('no', 2, 'error'), { code, constraint });
}

describe('an error of the server', () => {
  it('may be repeated when it is about locks, connections, resources or another writer', () => {
    for (const code of ['40001', '40P01', '55P03', '57014', '57P01', '08006', '53300', '58030']) {
      expect(asStoreError(serverError(code))).toBeInstanceOf(RetryableError);
    }
    expect(asStoreError(serverError('23505', 'events_pkey'))).toBeInstanceOf(RetryableError);
  });

  it('says whether something was away, the work took too long, or another writer was first', () => {
    const kindOf = (code: string, constraint?: string): unknown => {
      const error = asStoreError(serverError(code, constraint));
      return error instanceof RetryableError ? error.options.kind : 'a bug';
    };
    expect(['57014', '25P03', '25P04'].map((code) => kindOf(code))).toEqual(['time_out', 'time_out', 'time_out']);
    expect(['57P01', '53300', '55P03'].map((code) => kindOf(code))).toEqual([
      'unavailable',
      'unavailable',
      'unavailable',
    ]);
    expect(kindOf('23505', 'conversations_pkey')).toBe('conflict');
  });

  it('is a bug, and stays as it is, when the statement itself is wrong', () => {
    for (const code of ['23505', '22P02', '42P01', '23514']) {
      const error = serverError(code);
      expect(asStoreError(error)).toBe(error);
    }
    const secondExecution = serverError('23505', 'approved_invocations_one_execution');
    expect(asStoreError(secondExecution)).toBe(secondExecution);
  });
});

describe('an error of the driver', () => {
  it('is about the connection and may be repeated, with its cause', () => {
    const error = new Error('Connection terminated unexpectedly');
    expect(asStoreError(error)).toMatchObject({ name: 'RetryableError', cause: error });
  });

  it('is a bug when a value cannot be sent', () => {
    const error = new TypeError('circular');
    expect(asStoreError(error)).toBe(error);
  });
});
