import { failure, Instant, type Result, success } from '@latch/contracts';
import { type StoredTransaction, type TransactionFilter } from '@latch/event-store';
import { invalidRequest, type Refusal } from '@latch/http';
import { z } from 'zod';

type Place = NonNullable<TransactionFilter['after']>;

/** Where a page of transactions ended, as an opaque text for the next request. */
export function cursorAfter({ startedAt, id }: Pick<StoredTransaction, 'startedAt' | 'id'>): string {
  return Buffer.from(JSON.stringify([startedAt, id])).toString('base64url');
}

const Cursor = z.tuple([Instant, z.string().min(1).max(64)]);

/** Reads a cursor that `cursorAfter` made. @returns `request.invalid` for anything else. */
export function placeOf(cursor: string | undefined): Result<Place | undefined, Refusal> {
  if (cursor === undefined) return success(undefined);
  const parsed = Cursor.safeParse(jsonIn(cursor));
  if (parsed.success) return success({ startedAt: parsed.data[0], transactionId: parsed.data[1] });
  return failure(
    invalidRequest([{ path: 'query.cursor', message: 'is no cursor of this list' }], 'The query is not valid.'),
  );
}

function jsonIn(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
