import { isRecord } from '@latch/contracts';
import { type Unreadable } from './projection-difference.ts';
import {
  type ApprovedRecord,
  type AttemptRecord,
  type ItemRecord,
  type LedgerRecord,
  type TransactionRecord,
  type TurnRecord,
} from './read-projections.ts';
import { unpackIds } from './row-ids.ts';
import { sealedPartOf } from './seal-payload.ts';
import {
  attemptPlace,
  detailsPlace,
  executionPlace,
  invocationPlace,
  responsePlace,
  stepPlace,
} from './seal-places.ts';
import { isSealed, type SealedPlace } from './seal-value.ts';
import { sealedOfBytes } from './sealed-column.ts';
import { type Keys, tryToOpen } from './unsealings.ts';

/** The values of a row by their columns, opened. What cannot be read is an `Unreadable`. */
export type Columns = Readonly<Record<string, unknown>>;

/** The conversation that the rows have to belong to: what is sealed opens nowhere else. */
export type Opening = { readonly tenantId: string; readonly conversationKey: string; readonly keys: Keys };

/** A transaction with its items, as their readers see them. */
export function transactionColumns(
  { transaction_id: id, arguments: stored, ...row }: TransactionRecord,
  items: readonly ItemRecord[],
  opening: Opening,
): { readonly columns: Columns; readonly items: ReadonlyMap<number, Columns> } {
  const sealed = sealedPartOf(stored);
  const details = sealed === undefined ? undefined : open(sealed, detailsPlace({ ...opening, id }), opening);
  const known = isRecord(details) && !isUnreadable(details) ? details : undefined;
  const named: unknown = known?.['items'];
  const columns = {
    ...row,
    started_at: instantOf(row.started_at),
    ended_at: instantOf(row.ended_at),
    arguments: known === undefined ? (details ?? stored) : known['arguments'],
  };
  const itemOf = (item: ItemRecord): Columns =>
    known === undefined
      ? plainItem(item)
      : sealedItem(item, Array.isArray(named) ? named[item.ordinal - 1] : undefined);
  return { columns, items: new Map(items.map((item) => [item.ordinal, itemOf(item)])) };
}

function plainItem({ transaction_id: _id, ordinal: _ordinal, ...columns }: ItemRecord): Columns {
  return columns;
}

/** Of a sealed item the row holds its number and its outcome; what is sealed of it counts only while the rest of the row is empty. */
function sealedItem(item: ItemRecord, details: unknown): Columns {
  const { label, reason, protocol } = item;
  const isEmpty = item.item_id === String(item.ordinal) && label === '' && reason === null && protocol === null;
  if (!isEmpty || !isRecord(details)) return plainItem(item);
  const { id, label: name, reason: why, protocol: number } = details;
  const { tenant_id, outcome } = item;
  return { tenant_id, outcome, item_id: id, label: name, reason: why ?? null, protocol: number ?? null };
}

/** A turn; its answer as the value that its JSON text holds. */
export function turnColumns({ turn_id: turnId, ids, ...row }: TurnRecord, opening: Opening): Columns {
  const place = responsePlace({ ...opening, turnId });
  const { sealed_response: sealed, ...columns } = row;
  const [messageId, bodyDigest] = ids === null ? [row.message_id, row.body_digest] : unpacked(ids);
  return {
    ...columns,
    message_id: messageId,
    body_digest: bodyDigest,
    response: sealed === null ? jsonIn(row.response) : open(sealedOfBytes(sealed), place, opening),
  };
}

/** An approved call. */
export function approvedColumns({ ids, sealed_invocation: sealed, ...row }: ApprovedRecord, opening: Opening): Columns {
  const { invocation_id: invocationId, ...columns } = row;
  const [proposalId, digest] = ids === null ? [row.proposal_id, row.digest] : unpacked(ids);
  const place = invocationPlace({ ...opening, invocationId });
  return {
    ...columns,
    proposal_id: proposalId,
    digest,
    expires_at: instantOf(row.expires_at),
    invocation: sealed === null ? row.invocation : open(sealedOfBytes(sealed), place, opening),
  };
}

/** What the executor recorded of a call. */
export function ledgerColumns({ invocation_id: invocationId, ...row }: LedgerRecord, opening: Opening): Columns {
  const { sealed_execution: sealed, ...columns } = row;
  const place = executionPlace({ ...opening, invocationId });
  return { ...columns, execution: sealed === null ? row.execution : open(sealedOfBytes(sealed), place, opening) };
}

/** One attempt of a call. */
export function attemptColumns(row: AttemptRecord, opening: Opening): Columns {
  const { invocation_id: invocationId, number, sealed_outcome: sealed } = row;
  const where = { ...opening, invocationId, number };
  return {
    tenant_id: row.tenant_id,
    ended_at: instantOf(row.ended_at),
    outcome: sealed === null ? row.outcome : open(sealedOfBytes(sealed), attemptPlace(where), opening),
    step: isSealed(row.step) ? openText(row.step, stepPlace(where), opening) : row.step,
  };
}

/** Whether a value could not be read. */
export function isUnreadable(value: unknown): value is Unreadable {
  return isRecord(value) && typeof value['unreadable'] === 'string' && Object.keys(value).length === 1;
}

function open(sealed: string, place: SealedPlace, opening: Opening): unknown {
  const text = openText(sealed, place, opening);
  return typeof text === 'string' ? jsonIn(text) : text;
}

function openText(sealed: string, place: SealedPlace, { keys }: Opening): string | Unreadable {
  const opened = tryToOpen(sealed, place, keys);
  if (!opened.ok) return { unreadable: 'altered or moved' };
  return opened.value ?? { unreadable: 'its key is destroyed' };
}

/** What is no JSON is compared as the text that it is. */
function jsonIn(text: string | null): unknown {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

function unpacked(ids: Buffer): readonly unknown[] {
  const unreadable: Unreadable = { unreadable: 'altered' };
  try {
    return unpackIds(ids);
  } catch {
    return [unreadable, unreadable];
  }
}

/** Postgres knows instants that are none here, such as infinity. */
function instantOf(at: unknown): string | null {
  if (at === null) return null;
  return at instanceof Date && !Number.isNaN(at.getTime()) ? at.toISOString() : String(at);
}
