import { isRecord } from '@latch/contracts';

/** Members of an answer that describe it and are no findings: an empty list beside them is an empty answer. */
const envelopeNames = new Set(
  (
    'executed count total total_count totalCount size length items_count page pages page_size pageSize per_page limit offset cursor ' +
    'next_cursor nextCursor has_more hasMore truncated note message mensagem query filter filters period periodo from to start end date ' +
    'status ok success isError took latency_ms contract_version'
  ).split(' '),
);

/**
 * Whether a successful answer found nothing: `[]`, an object whose lists are all empty beside nothing but members that describe the answer
 * (`{"results": [], "note": "0 pedidos"}`), or `{"executed": true, "count": 0}`. A record with an empty list in it is no empty answer.
 */
export function isEmptyAnswer(data: unknown): boolean {
  if (data === null || data === undefined) return true;
  if (typeof data === 'string') return data.trim() === '';
  if (Array.isArray(data)) return data.length === 0;
  return isRecord(data) && isEmptyRecord(data);
}

function isEmptyRecord(data: Record<string, unknown>): boolean {
  const members = Object.entries(data);
  if (members.length === 0) return true;
  const lists = members.filter(([, value]) => Array.isArray(value));
  if (lists.some(([, list]) => Array.isArray(list) && list.length > 0)) return false;
  const hasOnlyEnvelope = members.every(([name, value]) => Array.isArray(value) || envelopeNames.has(name));
  return hasOnlyEnvelope && (lists.length > 0 || data.count === 0 || data.total === 0);
}
