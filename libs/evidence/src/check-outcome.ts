import { createHash } from 'node:crypto';
import { canonicalJson, ConversationKey, type EvidenceBundle } from '@latch/contracts';
import { endOfErased, erasureEvent, erasureFact, isErased } from '@latch/event-store';
import { factsOfBundle, factsOfType } from './facts-of-bundle.ts';
import { type Finding, finding, isSame, unless, when } from './finding.ts';

/** The outcome that the file claims is the one of the event that ended the transaction, and that one is what the tool said. */
export function checkOutcome(bundle: EvidenceBundle): readonly Finding[] {
  const facts = factsOfBundle(bundle);
  const id = bundle.transaction_id;
  const ended = factsOfType(facts, 'TransactionEnded').findLast(({ fact }) => fact.transactionId === id)?.fact;
  const { transaction, items = [] } = bundle;
  if (transaction === undefined) return [finding('items', 'transaction', 'it is not in the file')];
  if (ended === undefined) {
    const isOpen = transaction.ended_at === null || isEndedByErasure(bundle);
    return isOpen && items.length === 0
      ? []
      : [finding('items', 'transaction', 'it is said to have ended, and no event says so')];
  }
  if (isErased(ended.items)) return [];
  const problems = [
    ...unless(transaction.status === ended.status, 'it has another status than the event that ended it'),
    ...unless(transaction.outcome === ended.outcome, 'it has another outcome than the event that ended it'),
    ...unless(transaction.ended_at === ended.endedAt, 'it ended at another time'),
    ...unless(isSame(items, ended.items), 'its items are not those of the event that ended it'),
    ...unless(
      isSame(claimsOf(ended.items), toldItems(bundle) ?? claimsOf(ended.items)),
      'its items are not what the tool said',
    ),
  ];
  return problems.map((problem) => finding('items', 'transaction', problem));
}

/** A transaction that waited for the person ends when the person's data goes: then the tombstone behind its last event says so, and how. */
function isEndedByErasure({ chain, transaction, transaction_id: id }: EvidenceBundle): boolean {
  const links = chain?.links ?? [];
  const last = links.findLast(({ transaction_id }) => transaction_id === id)?.sequence ?? 0;
  return links.some(
    ({ type, sequence, occurred_at: at, payload_digest: payload }) =>
      type === erasureEvent &&
      sequence > last &&
      at === transaction?.ended_at &&
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
