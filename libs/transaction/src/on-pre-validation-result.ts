import { defaultMessages, PreValidationAnswer, type StructuredError, type ToolResult } from '@latch/contracts';
import { showProposal } from './advance.ts';
import { maxDepth, nestsDeeperThan } from './canonicalize.ts';
import { type Draft, openedIn, record, say } from './draft.ts';
import { endOpen } from './end.ts';
import { handOffAfter } from './hand-off.ts';
import { reopenParameters, reopens } from './reopen-parameters.ts';
import { type PendingCall, type PreValidation } from './state.ts';

/**
 * The validator has answered (seeds/000 section 3). `eligible` is global: false ends the transaction unless the policy fails open. A validator that failed has
 * said nothing about eligibility, and is never taken for a no.
 */
export function onPreValidationResult(draft: Draft, call: PendingCall, result: ToolResult): Draft {
  if (!result.ok) return onValidatorFailure(draft, call, result.error ?? failedSilently(call.tool));
  const answer = PreValidationAnswer.safeParse(result.data);
  if (!answer.success || nestsDeeperThan(answer.data, maxDepth))
    return onValidatorFailure(draft, call, unreadable(call.tool));
  return onAnswer(draft, call, answer.data);
}

/** The validator could not be asked. Fails open where the policy says so; else it is told honestly that nothing could be validated. */
export function onValidatorFailure(draft: Draft, call: PendingCall, error: StructuredError): Draft {
  const opened = openedIn(draft);
  if (opened?.transaction.status !== 'PRE_VALIDATION') return draft;
  if (reopens(draft, error)) return reopenParameters(draft, error);
  if (opened.tool.preValidation?.failOpen === true) {
    const skipped = notValidated(call, error.message);
    return goOn(draft, skipped);
  }
  const ended = endOpen(draft, { status: 'FAILED', reason: 'validator_failed', detail: error.message, error });
  const told = say(ended, { kind: 'validation_failed', toolLabel: opened.tool.label, error });
  return handOffAfter(told, error);
}

function onAnswer(draft: Draft, call: PendingCall, answer: PreValidationAnswer): Draft {
  const opened = openedIn(draft);
  if (opened?.transaction.status !== 'PRE_VALIDATION') return draft;
  const target = answer.transaction_decision?.target_tool ?? opened.tool.name;
  if (target !== opened.tool.name) return onValidatorFailure(draft, call, otherTarget(call.tool, target));
  const validated = readAnswer(call, answer);
  if (answer.eligible || opened.tool.preValidation?.failOpen === true) return goOn(draft, validated);
  return endNotEligible(draft, validated);
}

function readAnswer(call: PendingCall, answer: PreValidationAnswer): PreValidation {
  const decision = answer.transaction_decision;
  return {
    invocationId: call.invocationId,
    tool: call.tool,
    eligible: answer.eligible,
    status: answer.status ?? null,
    reason: answer.reason ?? answer.message ?? null,
    resolvedArguments: decision?.resolved_arguments ?? {},
    confirmationMessage: decision?.confirmation_message ?? null,
  };
}

function goOn(draft: Draft, validated: PreValidation): Draft {
  const open = draft.state.transaction;
  if (open?.status !== 'PRE_VALIDATION') return draft;
  return showProposal(
    record(draft, { type: 'PreValidated', transactionId: open.id, preValidation: validated }),
    open.why,
  );
}

function endNotEligible(draft: Draft, validated: PreValidation): Draft {
  const opened = openedIn(draft);
  if (opened === null) return draft;
  const known = record(draft, { type: 'PreValidated', transactionId: opened.transaction.id, preValidation: validated });
  const ended = endOpen(known, { status: 'OUT_OF_SCOPE', reason: 'not_eligible', detail: validated.reason });
  return say(ended, { kind: 'not_eligible', toolLabel: opened.tool.label, reason: validated.reason });
}

function notValidated(call: PendingCall, reason: string): PreValidation {
  return {
    invocationId: call.invocationId,
    tool: call.tool,
    eligible: null,
    status: null,
    reason,
    resolvedArguments: {},
    confirmationMessage: null,
  };
}

function failedSilently(tool: string): StructuredError {
  return { ...unreadable(tool), code: 'tool.unclassified', message: defaultMessages.validatorSaidNothing };
}

function unreadable(tool: string): StructuredError {
  return {
    errorCategory: 'business',
    isRetryable: false,
    message: 'The answer of the validator cannot be read.',
    code: 'tool.result_unreadable',
    attempted: tool,
  };
}

/** What a tool says is data and names no other tool to run (invariant I14). */
function otherTarget(tool: string, target: string): StructuredError {
  return {
    errorCategory: 'permission',
    isRetryable: false,
    message: `The validator names another tool (${target}) than the one that was asked for.`,
    code: 'tool.not_allowed',
    attempted: tool,
  };
}
