import { type ProposalItem, type ToolResult } from '@latch/contracts';

/** One item of a fan-out and what its call came to; null: it was not among the confirmed items and was not called. */
export type ItemReading = { readonly item: ProposalItem; readonly result: ToolResult | null };

/** An entry of `results` (seeds/000 section 5), as any tool would give it. */
export type ResultEntry = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string };

/** Answers of items beyond this are left out of the results: what counts is the flag, the reason and the protocol. */
const maxDataChars = 16_384;

/**
 * Makes `results` out of the calls of a fan-out: one entry per item with its own flag. An item of which nobody knows has no flag and says so
 * (invariant I11); neither true nor false could be claimed.
 */
export function toWorkflowEntries(
  readings: readonly ItemReading[],
  missed: readonly ProposalItem[],
): readonly ResultEntry[] {
  const entries = [
    ...readings.map(({ item, result }) => (result === null ? failed(item, 'not_confirmed') : toEntry(item, result))),
    ...missed.map((item) => failed(item, 'not_found')),
  ];
  return JSON.stringify(entries).length > maxResultsChars ? entries.map(withoutData) : entries;
}

/** All answers together must fit into one message of the bus. */
const maxResultsChars = 262_144;

function withoutData({ data: _data, ...entry }: ResultEntry): ResultEntry {
  return { ...entry, id: entry.id, name: entry.name };
}

function toEntry(item: ProposalItem, result: ToolResult): ResultEntry {
  const [own] = result.items ?? [];
  const protocol = own?.protocol ?? null;
  return { ...flagOf(item, result), ...(protocol === null ? {} : { protocol }), ...dataOf(result) };
}

function flagOf(item: ProposalItem, result: ToolResult): ResultEntry {
  const named = { id: item.id, name: item.label };
  switch (result.outcome) {
    case 'SUCCESS':
      return { ...named, success: true };
    case 'FAILED':
      return { ...failed(item, result.items?.[0]?.reason ?? result.error?.message ?? null), ...codeOf(result) };
    // One item that the tool took apart and finished in part is neither done nor undone.
    case 'PARTIAL_SUCCESS':
      return { ...named, outcome: 'unknown', reason: 'partly_done' };
    case 'UNKNOWN':
    case undefined:
      return { ...named, outcome: 'unknown' };
    default:
      return result.outcome satisfies never;
  }
}

function failed({ id, label }: ProposalItem, reason: string | null): ResultEntry {
  return { id, name: label, success: false, ...(reason === null ? {} : { reason }), isRetryable: false };
}

function codeOf({ error }: ToolResult): Readonly<Record<string, unknown>> {
  if (error === null || error === undefined) return {};
  return {
    isRetryable: error.isRetryable,
    errorCategory: error.errorCategory,
    ...(error.code === undefined ? {} : { code: error.code }),
  };
}

function dataOf({ data }: ToolResult): Readonly<Record<string, unknown>> {
  if (data === null || data === undefined) return {};
  return JSON.stringify(data).length > maxDataChars ? {} : { data };
}
