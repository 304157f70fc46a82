import { createHash } from 'node:crypto';
import { canonicalJson, ConversationKey, type EvidenceBundle } from '@latch/contracts';
import { endOfErased, erasureEvent, erasureFact, isErased } from '@latch/event-store';
import { type BundledFact, factsOfBundle, factsOfType } from './facts-of-bundle.ts';
import { type Finding, finding, isSame, unless, when } from './finding.ts';

/** The outcome that the file claims is the one of the event that ended the transaction, and that one is what the tool said. */
export function checkOutcome(bundle: EvidenceBundle): readonly Finding[] {
  const facts = factsOfBundle(bundle);
  const id = bundle.transaction_id;
  const ended = factsOfType(facts, 'TransactionEnded').findLast(({ fact }) => fact.transactionId === id)?.fact;
  const { transaction, items = [] } = bundle;
  if (transaction === undefined) return [finding('items', 'transaction', 'it is not in the file')];
  const problems = [
    ...unless(transaction.rev === revIn(facts, id), 'it has another revision than its events'),
    ...(ended === undefined
      ? openProblems(bundle, facts)
      : [
          ...unless(transaction.status === ended.status, 'it has another status than the event that ended it'),
          ...unless(transaction.outcome === ended.outcome, 'it has another outcome than the event that ended it'),
          ...unless(transaction.ended_at === ended.endedAt, 'it ended at another time'),
          ...itemProblems(ended.items, items, bundle),
        ]),
  ];
  return problems.map((problem) => finding('items', 'transaction', problem));
}

function itemProblems(ended: ResultItems, items: ResultItems, bundle: EvidenceBundle): readonly string[] {
  if (isErased(ended)) return unless(items.length === 0, 'it says of items what is erased');
  return [
    ...unless(isSame(items, ended), 'its items are not those of the event that ended it'),
    ...unless(isSame(claimsOf(ended), toldItems(bundle) ?? claimsOf(ended)), 'its items are not what the tool said'),
  ];
}

type ResultItems = readonly NonNullable<EvidenceBundle['items']>[number][];

/** The revision of the last proposal or execution; 0 before the first. */
function revIn(facts: readonly BundledFact[], id: string): number {
  const revs = facts.flatMap(({ fact }) => {
    if (fact.type === 'ConfirmationRequested' && fact.transactionId === id) return [fact.proposal.rev];
    return fact.type === 'ExecutionStarted' && fact.transactionId === id ? [fact.call.rev] : [];
  });
  return revs.at(-1) ?? 0;
}

/** Of a transaction that no event ends: nothing came of it yet, and its status is one in which it can be. */
function openProblems(bundle: EvidenceBundle, facts: readonly BundledFact[]): readonly string[] {
  const { transaction, items = [], transaction_id: id } = bundle;
  const told = 'it is said to have ended, and no event says so';
  if (items.length > 0) return [told];
  if (transaction === undefined || isEndedByErasure(bundle)) return [];
  const own = facts.flatMap(({ fact }) => ('transactionId' in fact && fact.transactionId === id ? [fact.type] : []));
  const status = own.flatMap((type) => statusAfter[type] ?? []).at(-1);
  const outcome = status === 'OUTCOME_UNKNOWN' ? 'UNKNOWN' : null;
  return [
    ...unless(transaction.ended_at === null, told),
    ...unless(transaction.status === status, 'it has another status than its events'),
    ...unless(transaction.outcome === outcome, 'it has another outcome than its events'),
  ];
}

/** What an open transaction is after a fact; one that is not named leaves it as it was. */
const statusAfter: Readonly<Record<string, string>> = {
  TransactionStarted: 'COLLECTING_PARAMETERS',
  ParameterReopened: 'COLLECTING_PARAMETERS',
  ParameterRequested: 'COLLECTING_PARAMETERS',
  ApprovalOutdated: 'COLLECTING_PARAMETERS',
  TransactionResumed: 'COLLECTING_PARAMETERS',
  TransactionParked: 'INTERRUPTED',
  PreValidationRequested: 'PRE_VALIDATION',
  ConfirmationRequested: 'AWAITING_CONFIRMATION',
  ExecutionStarted: 'EXECUTING',
  OutcomeBecameUnknown: 'OUTCOME_UNKNOWN',
};

/** A transaction that waited for the person ends when the person's data goes: then the tombstone behind its last event says so, and how. */
function isEndedByErasure({ chain, transaction, transaction_id: id }: EvidenceBundle): boolean {
  const links = chain?.links ?? [];
  const last = links.findLast(({ transaction_id }) => transaction_id === id)?.sequence ?? 0;
  return links.some(
    ({ type, sequence, occurred_at: at, payload_digest: payload }) =>
      type === erasureEvent &&
      sequence > last &&
      at === transaction?.ended_at &&
      transaction.outcome === null &&
      (['erase', 'retention'] as const).some(
        (reason) => transaction.status === endOfErased[reason] && payload === digestOf(erasureFact(reason, at)),
      ),
  );
}

function digestOf(payload: unknown): string {
  return createHash('sha256').update(canonicalJson(payload)).digest('hex');
}

/** What the last result of an execution, or of a question about one, says of each item; undefined when it names none. */
function toldItems(bundle: EvidenceBundle): unknown {
  const results = factsOfType(factsOfBundle(bundle), 'ToolResultReceived').filter(
    ({ fact }) => fact.transactionId === bundle.transaction_id && fact.input.result.purpose !== 'pre_validation',
  );
  const items = results.at(-1)?.fact.input.result.items ?? [];
  return items.length === 0 ? undefined : claimsOf(items);
}

function claimsOf(items: readonly { readonly id: string; readonly outcome: string }[]): unknown {
  return items.map(({ id, outcome }) => [id, outcome]);
}

/** The heading of the file is about what its events are about. */
export function checkIdentity(bundle: EvidenceBundle): readonly Finding[] {
  const { conversation_key: key, tenant_id: tenant, agent_id: agent, transaction_id: id } = bundle;
  const started = factsOfType(factsOfBundle(bundle), 'TransactionStarted').filter(
    ({ fact }) => fact.transactionId === id,
  );
  const [first] = started;
  const problems = [
    ...unless(
      ConversationKey.safeParse(key).success && key.startsWith(`${tenant}:${agent}:`),
      'the conversation belongs to another tenant or agent',
    ),
    ...unless(started.length === 1, `the transaction was started ${started.length} times`),
    ...when(
      first && (bundle.config_digest ?? null) !== first.fact.configDigest,
      'the transaction is pinned to another configuration',
    ),
    ...when(
      first && bundle.transaction && bundle.transaction.tool !== first.fact.tool,
      'the transaction is about another tool',
    ),
    ...when(
      first && bundle.transaction && bundle.transaction.started_at !== first.fact.startedAt,
      'the transaction began at another time',
    ),
  ];
  return problems.map((problem) => finding('identity', 'file', problem));
}
