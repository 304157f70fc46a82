import { type EvidenceBundle, type EvidenceReceipt } from '@latch/contracts';
import { isErased } from '@latch/event-store';
import { type PendingCall } from '@latch/transaction';
import { answerProblems, resultsIn, type ToldResult } from './check-answer.ts';
import { invocationProblems } from './invocation-problems.ts';
import { type BundledFact, factsOfBundle } from './facts-of-bundle.ts';
import { type Finding, finding, isSame, unless, when } from './finding.ts';

/** What the executor recorded is what the engine approved, and the results that were acted upon are what the executor recorded. */
export function checkReceipts(bundle: EvidenceBundle): readonly Finding[] {
  const facts = factsOfBundle(bundle);
  const calls = callsIn(facts, bundle.transaction_id);
  const results = resultsIn(facts);
  const receipts = bundle.receipts ?? [];
  const known = new Set(receipts.map(({ invocation_id }) => invocation_id));
  const unrecorded = [...results.values()].filter(({ isActedUpon, id }) => isActedUpon && !known.has(id));
  return [
    ...unrecorded.map(({ id }) =>
      finding('receipts', `call ${id}`, 'a result was acted upon that no receipt stands for'),
    ),
    ...receipts.flatMap((receipt, index) => {
      const id = receipt.invocation_id;
      const call = calls.get(id);
      const isAgain = receipts.findIndex(({ invocation_id }) => invocation_id === id) < index;
      const problems = [
        ...when(isAgain, 'it has a second receipt'),
        ...(call === undefined
          ? ['the engine never approved such a call']
          : approvedProblems(receipt, { call, bundle, result: results.get(id) })),
      ];
      return problems.map((problem) => finding('receipts', `call ${id}`, problem));
    }),
  ];
}

function callsIn(facts: readonly BundledFact[], id: string): ReadonlyMap<string, PendingCall> {
  const calls = facts.flatMap(({ fact }) => ('call' in fact && fact.transactionId === id ? [fact.call] : []));
  return new Map(calls.map((call) => [call.invocationId, call]));
}

type Around = {
  readonly call: PendingCall;
  readonly bundle: EvidenceBundle;
  readonly result: ToldResult | undefined;
};

function approvedProblems(receipt: EvidenceReceipt, { call, bundle, result }: Around): readonly string[] {
  const problems = [
    ...headProblems(receipt, call),
    ...invocationProblems(receipt, call, bundle),
    ...attemptProblems(receipt),
  ];
  if (isErased(call.arguments)) return [...problems, ...erasedProblems(receipt)];
  return [...problems, ...answerProblems(receipt, result, bundle)];
}

/** What of a receipt stands in the clear part of its event: it is compared whether or not the person was erased. */
function headProblems(receipt: EvidenceReceipt, call: PendingCall): readonly string[] {
  return [
    ...unless(receipt.tool === call.tool, 'it is a call of another tool'),
    ...unless(receipt.purpose === call.purpose, 'it was made for another purpose'),
    ...unless(receipt.idempotency_key === (call.idempotencyKey ?? call.invocationId), 'it has another idempotency key'),
    ...unless(receipt.proposal_id === call.proposalId, 'it belongs to another proposal'),
  ];
}

/** Of an erased call nothing but its head, and when it was tried, can be proven: nothing else may be said. */
function erasedProblems({ execution, attempts }: EvidenceReceipt): readonly string[] {
  return [
    ...unless(execution === null, 'it says what came back, and the call is erased'),
    ...unless(
      attempts.every(({ outcome, step }) => outcome === undefined && (step ?? null) === null),
      'it says what an attempt brought, and the call is erased',
    ),
  ];
}

function attemptProblems({ attempts, execution, status, invocation_id: id }: EvidenceReceipt): readonly string[] {
  const own = attempts.filter(({ step }) => (step ?? null) === null);
  return [
    ...unless(
      own.every(({ number }, index) => index === 0 || number > (own[index - 1]?.number ?? 0)),
      'its attempts are out of order',
    ),
    ...when(execution !== null && execution.invocation_id !== id, 'its outcome is that of another call'),
    ...when(execution !== null && status !== 'DONE', 'it has an outcome and is not done'),
    ...when(
      execution !== null &&
        execution.rebuilt === undefined &&
        !isSame(placesOf(attempts), placesOf(execution.attempts)),
      'its attempts are not those of its outcome',
    ),
  ];
}

function placesOf(attempts: EvidenceReceipt['attempts']): readonly string[] {
  return attempts.map(({ number, step }) => `${number}:${step ?? ''}`).toSorted();
}
