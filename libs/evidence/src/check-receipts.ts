import { type EvidenceBundle, type EvidenceReceipt, invocationDigest, ToolResult } from '@latch/contracts';
import { isErased } from '@latch/event-store';
import { readToolResult } from '@latch/outcome';
import { type PendingCall, type ToolResultArrived } from '@latch/transaction';
import { type BundledFact, factsOfBundle, factsOfType } from './facts-of-bundle.ts';
import { type Finding, finding, isSame, unless, when } from './finding.ts';

/** What the executor recorded is what the engine approved, and the results that were acted upon are what the executor recorded. */
export function checkReceipts(bundle: EvidenceBundle): readonly Finding[] {
  const facts = factsOfBundle(bundle);
  const calls = callsIn(facts, bundle.transaction_id);
  const results = resultsIn(facts, bundle.transaction_id);
  const receipts = bundle.receipts ?? [];
  const known = new Set(receipts.map(({ invocation_id }) => invocation_id));
  const unrecorded = [...results.keys()].filter((id) => !known.has(id));
  return [
    ...unrecorded.map((id) => finding('receipts', `call ${id}`, 'a result was acted upon that no receipt stands for')),
    ...receipts.flatMap((receipt) => {
      const id = receipt.invocation_id;
      const problems = [
        ...approvalProblems(receipt, calls.get(id)),
        ...attemptProblems(receipt),
        ...resultProblems(receipt, results.get(id)),
      ];
      return problems.map((problem) => finding('receipts', `call ${id}`, problem));
    }),
  ];
}

function callsIn(facts: readonly BundledFact[], id: string): ReadonlyMap<string, PendingCall> {
  const calls = facts.flatMap(({ fact }) => ('call' in fact && fact.transactionId === id ? [fact.call] : []));
  return new Map(calls.map((call) => [call.invocationId, call]));
}

function resultsIn(facts: readonly BundledFact[], id: string): ReadonlyMap<string, ToolResultArrived['result']> {
  const received = factsOfType(facts, 'ToolResultReceived').filter(({ fact }) => fact.transactionId === id);
  return new Map(received.map(({ fact: { input } }) => [input.invocationId, input.result]));
}

function approvalProblems(receipt: EvidenceReceipt, call: PendingCall | undefined): readonly string[] {
  if (call === undefined) return ['the engine never approved such a call'];
  const { invocation } = receipt;
  if (isErased(invocation.arguments) || isErased(call.arguments)) return [];
  return [
    ...unless(invocationDigest(invocation) === receipt.approved_digest, 'its approval has another digest'),
    ...unless(receipt.tool === call.tool && invocation.tool_name === call.tool, 'it is a call of another tool'),
    ...unless(receipt.purpose === call.purpose, 'it was made for another purpose'),
    ...unless(isSame(invocation.arguments, call.arguments), 'it has other arguments than were approved'),
    ...unless(isSame(itemIds(invocation.items ?? []), itemIds(call.items)), 'it has other items than were approved'),
    ...unless(
      call.idempotencyKey === null || receipt.idempotency_key === call.idempotencyKey,
      'it has another idempotency key',
    ),
    ...unless((receipt.proposal_id ?? null) === call.proposalId, 'it belongs to another proposal'),
  ];
}

function itemIds(items: readonly { readonly id: string }[]): readonly string[] {
  return items.map(({ id }) => id);
}

function attemptProblems({ attempts, execution, status, invocation_id }: EvidenceReceipt): readonly string[] {
  const own = attempts.filter((attempt) => attempt.step === undefined || attempt.step === null);
  return [
    ...unless(
      own.every(({ number }, index) => index === 0 || number > (own[index - 1]?.number ?? 0)),
      'its attempts are out of order',
    ),
    ...when(execution !== null && execution.invocation_id !== invocation_id, 'its outcome is that of another call'),
    ...when(execution !== null && status !== 'DONE', 'it has an outcome and is not done'),
  ];
}

/** The result that was acted upon is what the normalizer reads in the recorded execution. */
function resultProblems(
  { execution }: EvidenceReceipt,
  result: ToolResultArrived['result'] | undefined,
): readonly string[] {
  if (execution === null || result === undefined || isErased(result)) return [];
  if (execution.rebuilt !== undefined)
    return [
      `its record was lost; what stands for it was made from event ${execution.rebuilt.sequence} and proves nothing`,
    ];
  const read = readToolResult(execution);
  return isSame(verdictOf(read), verdictOf(ToolResult.parse(result)))
    ? []
    : ['the result that was acted upon is not what was recorded'];
}

/** What a result claims. Its data may have been left out for its size, and a later release may read more into the rest. */
function verdictOf(result: ToolResult): unknown {
  const { ok, outcome, empty, error, tool_name, invocation_id, items = [] } = result;
  const told = items.map(({ id, outcome: ended }) => [id, ended]);
  return {
    ok,
    outcome,
    empty: empty ?? false,
    code: error?.errorCategory ?? null,
    tool_name,
    invocation_id,
    items: told,
  };
}
