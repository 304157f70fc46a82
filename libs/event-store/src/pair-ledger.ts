import { ToolExecution, type ToolResult } from '@latch/contracts';
import { type ApprovedInvocation } from './conversation-append.ts';
import { type Owner, jsonOf } from './expected-columns.ts';
import { type ProvenCall } from './proven-call.ts';
import { type AttemptRecord, type LedgerRecord } from './read-projections.ts';
import { attemptColumns, type Columns, isUnreadable, ledgerColumns, type Opening } from './stored-columns.ts';

/** Reads a recorded execution, as the normalizer does. */
export type ReadExecution = (execution: ToolExecution) => ToolResult;

/** What the ledger holds of a call, beside what it has to hold; a column that is not among the expected ones may hold anything. */
export type LedgerPair = {
  readonly ledger: { readonly stored: Columns; readonly expected: Columns } | null;
  /** Whether its execution was made again from the events. */
  readonly isRebuilt: boolean;
  /** `expected` is null for one that the execution knows nothing of. */
  readonly attempts: ReadonlyMap<number, { readonly stored: Columns | undefined; readonly expected: Columns | null }>;
};

/** A call of the stream, and what is stored of it. */
export type StoredCall = {
  readonly approved: ApprovedInvocation;
  readonly proven: ProvenCall | undefined;
  readonly row: LedgerRecord | undefined;
  readonly attempts: readonly AttemptRecord[];
};

/**
 * Pairs what is stored of a call with what the events, and the ledger itself, say of it. The events know that a call with a result is done, how many attempts it
 * took and what its execution was read as; the execution tells its attempts. Of a call without a result the executor alone knows how far it is.
 */
export function pairLedger(call: StoredCall, around: Around): LedgerPair {
  const { row } = call;
  if (row === undefined) return { ledger: null, isRebuilt: false, attempts: new Map() };
  const { owner, opening } = around;
  const stored = ledgerColumns(row, opening);
  const execution = executionIn(stored['execution']);
  return {
    ledger: pairRow(call, { stored, execution }, around),
    isRebuilt: execution?.rebuilt !== undefined,
    attempts: pairAttempts(call, { owner, opening, execution }),
  };
}

type Around = { readonly owner: Owner; readonly opening: Opening; readonly read: ReadExecution };
type Stored = { readonly stored: Columns; readonly execution: ToolExecution | null };

function pairRow(
  { approved, proven, attempts }: StoredCall,
  { stored, execution }: Stored,
  { owner, read }: Around,
): LedgerPair['ledger'] {
  const base = { stream_id: owner.streamId, tenant_id: owner.tenantId };
  const outcome = proven?.outcome ?? null;
  if (outcome === null) {
    const begun = stored['status'] === 'DONE' ? {} : { attempts: attempts.length };
    return { stored, expected: { ...base, ...begun } };
  }
  const { result, sequence } = outcome;
  const done = { ...base, status: 'DONE' };
  if (execution?.rebuilt !== undefined) {
    const told = { ...stored, execution: execution.rebuilt.sequence };
    return { stored: told, expected: { ...done, execution: sequence } };
  }
  const expected = { ...claimsOf(result, result), invocation: jsonOf(approved.invocation) };
  const found = execution && { ...claimsOf(read(execution), result), invocation: jsonOf(execution.invocation) };
  const told = { ...stored, execution: found ?? stored['execution'] };
  return { stored: told, expected: { ...done, ...attemptsIn(result), execution: expected } };
}

/** Null where there is none, and where it is not what an execution is. */
function executionIn(stored: unknown): ToolExecution | null {
  if (stored === null || isUnreadable(stored)) return null;
  const parsed = ToolExecution.safeParse(stored);
  return parsed.success ? parsed.data : null;
}

function attemptsIn({ attempts }: ToolResult): Columns {
  return attempts === undefined ? {} : { attempts };
}

/**
 * What a result claims. What the recorded one had left out for its size, or because an older release did not tell it, is left out of both; words are not
 * compared, which a later release may choose otherwise.
 */
function claimsOf(result: ToolResult, recorded: ToolResult): Columns {
  const { ok, outcome, empty, error, tool_name, invocation_id, latency_ms, data, items = [] } = result;
  const omitted = recorded['data_omitted'];
  const isItemsWhole = omitted !== 'items beyond 500';
  return {
    ...{ ok, outcome: outcome ?? null, empty: empty ?? false, error: error?.errorCategory ?? null },
    ...{ tool_name, invocation_id: invocation_id ?? null, latency_ms },
    ...(isItemsWhole && { items: items.map(({ id, outcome: ended }) => ({ id, outcome: ended })) }),
    ...(omitted === undefined && { data: jsonOf(data) }),
  };
}

type Recorded = { readonly owner: Owner; readonly opening: Opening; readonly execution: ToolExecution | null };

/** A done call tells its attempts itself; of one that is not done the ledger knows how many there are. */
function pairAttempts({ attempts }: StoredCall, { owner, opening, execution }: Recorded): LedgerPair['attempts'] {
  const base = { tenant_id: owner.tenantId };
  const isTold = execution !== null && execution.rebuilt === undefined;
  const told = isTold ? execution.attempts : [];
  const stored = new Map(attempts.map((row) => [row.number, attemptColumns(row, opening)]));
  const expected = new Map<number, Columns | null>(attempts.map(({ number }) => [number, isTold ? null : base]));
  for (const { number, ended_at: endedAt, outcome, step } of told) {
    const ended = endedAt === undefined ? null : new Date(endedAt).toISOString();
    expected.set(number, { ...base, ended_at: ended, outcome: jsonOf(outcome), step: step ?? null });
  }
  return new Map([...expected].map(([number, columns]) => [number, { stored: stored.get(number), expected: columns }]));
}
