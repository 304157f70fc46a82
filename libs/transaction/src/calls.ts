import { idempotencyKey, InvocationId, type ToolConfig } from '@latch/contracts';
import { type Draft, mintId, type Opened, record } from './draft.ts';
import { secondsAfter } from './instants.ts';
import { mapArguments } from './map-arguments.ts';
import {
  type Confirmation,
  type PendingCall,
  type Proposal,
  type ProposalReason,
  type UnknownTransaction,
} from './state.ts';

/** A call that was not started so long after its approval is not started any more. */
const startWindowSeconds = 60;
/** Time for a result to come back through the bus after the tool's own deadline. */
const returnSeconds = 15;

/** Asks the policy's validator, as a read, with everything that was collected. */
export function startPreValidation(draft: Draft, { tool, transaction }: Opened, why: ProposalReason): Draft {
  if (tool.preValidation === null) return draft;
  const validator = draft.agent.tools[tool.preValidation.tool];
  const call: PendingCall = {
    invocationId: InvocationId.parse(mintId(draft, 'pre_validation', transaction.id)),
    purpose: 'pre_validation',
    tool: tool.preValidation.tool,
    arguments: validatorArguments(tool, validator, transaction),
    items: [],
    rev: transaction.rev + 1,
    proposalId: null,
    idempotencyKey: null,
    ...callFrame(draft, validator ?? tool),
  };
  return handOver(record(draft, { type: 'PreValidationRequested', transactionId: transaction.id, call, why }));
}

/** Approves the one execution of a proposal. Its key is minted here, once, and stored (invariant I3). */
export function startExecution(
  draft: Draft,
  { tool, transaction }: Opened,
  approved: { readonly proposal: Proposal; readonly confirmation: Confirmation | null },
): Draft {
  const { proposal, confirmation } = approved;
  const key = { tenantId: draft.state.tenantId, transactionId: transaction.id, rev: proposal.rev, tool: proposal.tool };
  const call: PendingCall = {
    invocationId: InvocationId.parse(mintId(draft, 'execution', transaction.id, proposal.rev)),
    purpose: 'execution',
    tool: proposal.tool,
    arguments: proposal.arguments,
    items: proposal.items,
    rev: proposal.rev,
    proposalId: proposal.proposalId,
    idempotencyKey: idempotencyKey(key),
    ...(proposal.toolSchemaHash === null ? {} : { toolSchemaHash: proposal.toolSchemaHash }),
    ...callFrame(draft, tool),
  };
  return handOver(record(draft, { type: 'ExecutionStarted', transactionId: transaction.id, call, confirmation }));
}

/** Asks the declared tool what became of a call, under that call's own key and arguments. */
export function startReconciliation(draft: Draft, transaction: UnknownTransaction, reconcileTool: string): Draft {
  const declared = draft.agent.tools[reconcileTool];
  const attempt = transaction.reconcileAttempts + 1;
  const call: PendingCall = {
    invocationId: InvocationId.parse(mintId(draft, 'reconcile', transaction.id, transaction.rev, attempt)),
    purpose: 'reconcile',
    tool: reconcileTool,
    arguments:
      declared === undefined
        ? transaction.call.arguments
        : mapArguments(declared, transaction.call.arguments, transaction.businessContext),
    items: transaction.call.items,
    rev: transaction.call.rev,
    proposalId: transaction.call.proposalId,
    idempotencyKey: transaction.call.idempotencyKey,
    ...callFrame({ ...draft, turnId: null }, declared ?? draft.agent.tools[transaction.tool]),
  };
  return record(draft, { type: 'ReconciliationStarted', transactionId: transaction.id, call });
}

/** The turn is now answered by the call's result, with what was already said in front. */
function handOver(draft: Draft): Draft {
  return { ...draft, turnId: null, said: [] };
}

function callFrame(
  draft: Draft,
  tool: ToolConfig | undefined,
): Pick<PendingCall, 'startedAt' | 'expiresAt' | 'deadlineAt' | 'traceId' | 'turn'> {
  const runSeconds = (tool?.timeoutMs ?? 0) / 1000;
  return {
    startedAt: draft.at,
    expiresAt: secondsAfter(draft.at, startWindowSeconds),
    deadlineAt: secondsAfter(draft.at, startWindowSeconds + runSeconds + returnSeconds),
    traceId: draft.traceId,
    turn: draft.turnId === null ? null : { turnId: draft.turnId, said: draft.said },
  };
}

/** The validator gets what the user said; the business context reaches it through its own mapping, or the tool's where it has none. */
function validatorArguments(
  tool: ToolConfig,
  validator: ToolConfig | undefined,
  transaction: Opened['transaction'],
): PendingCall['arguments'] {
  const collected = mapArguments(
    tool,
    transaction.arguments,
    validator === undefined ? transaction.businessContext : {},
  );
  return validator === undefined ? collected : mapArguments(validator, collected, transaction.businessContext);
}
