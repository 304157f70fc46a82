import { describe, expect, it } from '@jest/globals';
import { RetryableError } from '@latch/contracts';
import { QueryFailedError, TypeORMError } from 'typeorm';
import { EvaluationStore } from './evaluation-store.ts';

function failingStore(error: Error): EvaluationStore {
  const fail = (): Promise<never> => Promise.reject(error);
  return new EvaluationStore({ query: fail, destroy: fail, transaction: fail });
}

describe('a database that does not answer', () => {
  it('makes the batch come again', async () => {
    const lost = new Error('Connection terminated unexpectedly');
    for (const error of [lost, new QueryFailedError('SELECT', [], lost)]) {
      await expect(failingStore(error).now()).rejects.toBeInstanceOf(RetryableError);
    }
  });
});

describe('a query that is wrong', () => {
  it('is a bug and rises as it is', async () => {
    const bug = new TypeORMError('No such column');
    await expect(failingStore(bug).now()).rejects.toBe(bug);
  });
});
