import { ConversationKey, type EvidenceBundle, idempotencyKey, TransactionId } from '@latch/contracts';
import { isErased } from '@latch/event-store';
import { capsule, type Proposal } from '@latch/transaction';
import { type BundledFact, type BundledFactOf, factsOfBundle, factsOfType } from './facts-of-bundle.ts';
import { type Finding, finding, isSame, unless, when } from './finding.ts';
import { capsulesOf } from './make-bundle.ts';

/** Computes every proposal's capsule again, and checks that each yes is bound to one, and each execution to a yes. */
export function checkCapsules(bundle: EvidenceBundle): readonly Finding[] {
  const id = bundle.transaction_id;
  const facts = factsOfBundle(bundle);
  const shown = factsOfType(facts, 'ConfirmationRequested').filter(({ fact }) => fact.transactionId === id);
  const confirmed = factsOfType(facts, 'UserConfirmed').filter(({ fact }) => fact.transactionId === id);
  const executed = factsOfType(facts, 'ExecutionStarted').filter(({ fact }) => fact.transactionId === id);
  const proposals = shown.map(({ sequence, fact }) => ({ sequence, proposal: fact.proposal }));
  const listed = isSame(bundle.capsules ?? [], capsulesOf(facts, id))
    ? []
    : [finding('capsules', 'capsules', 'the list is not what the events say')];
  return [
    ...listed,
    ...proposals.flatMap((one) => checkProposal(one, bundle)),
    ...confirmed.flatMap((yes) => checkYes(yes, proposals)),
    ...executed.flatMap((start) => checkExecution(start, { bundle, proposals, facts })),
  ];
}

type Shown = { readonly sequence: number; readonly proposal: Proposal };

function checkProposal({ sequence, proposal }: Shown, bundle: EvidenceBundle): readonly Finding[] {
  if (isErased(proposal.arguments)) return [];
  const { proposalId, ...content } = proposal;
  const identity = {
    tenantId: bundle.tenant_id,
    agentId: bundle.agent_id,
    sessionId: '',
    conversationKey: ConversationKey.parse(bundle.conversation_key),
  };
  const computed = capsule(identity, { id: TransactionId.parse(bundle.transaction_id) }, content);
  return computed === proposalId ? [] : [finding('capsules', `event ${sequence}`, 'the proposal has another capsule')];
}

/** A yes counts for the proposal that was shown last before it, by who was asked, in time (invariant I4). */
function checkYes({ sequence, fact }: BundledFactOf<'UserConfirmed'>, proposals: readonly Shown[]): readonly Finding[] {
  const place = `event ${sequence}`;
  const asked = proposals.findLast((one) => one.sequence < sequence)?.proposal;
  const { confirmation } = fact;
  if (asked === undefined) return [finding('capsules', place, 'a yes to no proposal')];
  const problems = [
    ...unless(
      confirmation.proposalId === asked.proposalId,
      'the yes is bound to another proposal than the one that was shown last',
    ),
    ...unless(confirmation.rev === asked.rev, 'the yes is for another revision'),
    ...unless(isSame(confirmation.userId, asked.principal), 'the yes came from somebody else'),
    ...unless(confirmation.confirmedAt < asked.expiresAt, 'the yes came after the proposal had expired'),
  ];
  return problems.map((problem) => finding('capsules', place, problem));
}

type Around = {
  readonly bundle: EvidenceBundle;
  readonly proposals: readonly Shown[];
  readonly facts: readonly BundledFact[];
};

/** What is executed is what was shown, under the one key of its revision (invariants I3, I5). */
function checkExecution(
  { sequence, fact }: BundledFactOf<'ExecutionStarted'>,
  { bundle, proposals, facts }: Around,
): readonly Finding[] {
  const { call, confirmation } = fact;
  const key = idempotencyKey({
    tenantId: bundle.tenant_id,
    transactionId: bundle.transaction_id,
    rev: call.rev,
    tool: call.tool,
  });
  const proposal = proposals.find((one) => one.proposal.proposalId === call.proposalId)?.proposal;
  const yes = factsOfType(facts, 'UserConfirmed').find(
    (one) => one.sequence < sequence && one.fact.confirmation.proposalId === call.proposalId,
  );
  const problems = [
    ...unless(call.idempotencyKey === key, 'the call has another idempotency key than its revision gives'),
    ...when(confirmation !== null && proposal === undefined, 'what was executed was never shown'),
    ...when(confirmation !== null && yes === undefined, 'it was executed without a yes'),
    ...when(proposal && !isSame(proposal.arguments, call.arguments), 'other arguments are sent than were shown'),
    ...when(proposal && !isSame(proposal.items, call.items), 'other items are sent than were shown'),
    ...when(
      confirmation === null && needsYes(bundle, call.tool),
      'the configuration wants a confirmation, and there is none',
    ),
  ];
  return problems.map((problem) => finding('capsules', `event ${sequence}`, problem));
}

function needsYes({ configurations = [], config_digest: digest }: EvidenceBundle, tool: string): boolean {
  const agent = configurations.find((one) => one['digest'] === digest);
  const config: unknown = Reflect.get(Object(agent?.['tools']), tool);
  return Reflect.get(Object(config), 'requiresConfirmation') === true;
}
