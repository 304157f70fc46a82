import { type ChannelResponse, PreValidationAnswer, ResultItem, type ToolResult } from '@latch/contracts';
import {
  causeOf,
  claimsOutcome,
  type Evidence,
  type FinishedTurn,
  outcomeOf,
  reportedResult,
} from './finished-turn.ts';

/** One thing that must hold, and what is wrong when it does not. */
export type Check = { readonly holds: boolean; readonly finding: string };

/**
 * Whether the answer reports the tool as it was: the right tool, its outcome, each item with its own outcome, its error, and a status that fits. Empty when
 * no tool is reported and none had to be.
 */
export function checkToolCorrectness(turn: FinishedTurn): readonly Check[] {
  const evidence = reportedResult(turn);
  const { response } = turn;
  if (!evidence) return claimsOutcome(response) ? [unbacked(response)] : [];
  const { result: reported } = evidence;
  if (!response.metadata.outcome) return mustBeTold(turn, reported) ? [untold(reported)] : [];
  return [
    approvedTool(evidence),
    chosenTool(turn, reported),
    sameOutcome(response, reported),
    sameItems(response, reported),
    sameError(response, reported),
    fittingStatus(response, reported),
  ];
}

function unbacked({ metadata }: ChannelResponse): Check {
  return { holds: false, finding: `The answer reports ${metadata.outcome}, and no tool result says so.` };
}

function untold(result: ToolResult): Check {
  return {
    holds: false,
    finding: `${result.tool_name} ended with ${outcomeOf(result)}, and the answer does not say so.`,
  };
}

/** A failed call may lead to a question instead, such as for the wrong argument; what was done, or may have been done, must be told. */
function mustBeTold(turn: FinishedTurn, result: ToolResult): boolean {
  return causeOf(turn)?.result === result && outcomeOf(result) !== 'FAILED';
}

/** What ran must be what the engine approved. */
function approvedTool({ result, approved }: Evidence): Check {
  const ran = `${result.tool_name} ran as invocation ${result.invocation_id}`;
  return {
    holds: approved?.tool === result.tool_name,
    finding: approved ? `${ran}, and ${approved.tool} was approved.` : `${ran}, which the engine never approved.`,
  };
}

/** Where a pre-validation chose the tool, that one and no other must have run. */
function chosenTool({ evidence }: FinishedTurn, reported: ToolResult): Check {
  const chosen = evidence
    .filter(({ result }) => result.purpose === 'pre_validation' && result.transaction_id === reported.transaction_id)
    .map(({ result }) => PreValidationAnswer.safeParse(result.data).data?.transaction_decision?.target_tool)
    .findLast((tool) => tool !== undefined);
  const isReconciled = reported.purpose === 'reconcile';
  return {
    holds: isReconciled || chosen === undefined || chosen === reported.tool_name,
    finding: `The pre-validation chose ${chosen}, and ${reported.tool_name} ran.`,
  };
}

function sameOutcome({ metadata }: ChannelResponse, reported: ToolResult): Check {
  const outcome = outcomeOf(reported);
  return {
    holds: metadata.outcome === outcome,
    finding: `The answer reports ${metadata.outcome}, and the outcome of ${reported.tool_name} is ${outcome}.`,
  };
}

/** Every item once, each with its true outcome: then the counts add up too. */
function sameItems({ metadata }: ChannelResponse, reported: ToolResult): Check {
  const told = (metadata.items ?? []).flatMap((item) => ResultItem.safeParse(item).data ?? []).map(itemName);
  const happened = (reported.items ?? []).map(itemName);
  const missing = happened.filter((item) => !told.includes(item));
  const invented = told.filter((item) => !happened.includes(item));
  const wrong = [...missing.map((item) => `not told: ${item}`), ...invented.map((item) => `not so: ${item}`)];
  const hasAll = told.length === happened.length && told.length === (metadata.items ?? []).length;
  return {
    holds: wrong.length === 0 && hasAll,
    finding: `The answer's items are not those of ${reported.tool_name} (${wrong.join('; ') || 'another number'}).`,
  };
}

function itemName({ id, outcome }: ResultItem): string {
  return `${id} ${outcome}`;
}

function sameError({ metadata }: ChannelResponse, reported: ToolResult): Check {
  const [told, happened] = [metadata.error?.errorCategory ?? 'none', reported.error?.errorCategory ?? 'none'];
  return {
    holds: told === happened,
    finding: `The answer reports an error of category ${told}, and that of ${reported.tool_name} is ${happened}.`,
  };
}

const fitting: Readonly<Record<string, readonly string[]>> = {
  SUCCESS: ['COMPLETED'],
  PARTIAL_SUCCESS: ['COMPLETED'],
  UNKNOWN: ['OUTCOME_UNKNOWN', 'EXECUTING'],
};

/** The status is that of the open transaction, which may be another one by now. */
function fittingStatus({ metadata }: ChannelResponse, reported: ToolResult): Check {
  const { transaction_status: status, transaction_id } = metadata;
  const allowed = fitting[outcomeOf(reported)];
  const isSame = transaction_id === reported.transaction_id && status !== undefined && status !== 'IDLE';
  return {
    holds: !isSame || allowed === undefined || allowed.includes(status),
    finding: `The transaction is ${status} although the outcome of ${reported.tool_name} is ${outcomeOf(reported)}.`,
  };
}
