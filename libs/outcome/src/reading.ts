import {
  type AggregateOutcome,
  defaultMessages,
  isRecord,
  type ProposalItem,
  type ResultItem,
  type StructuredError,
  type ToolExecution,
} from '@latch/contracts';
import { aggregateItems } from './aggregate-items.ts';
import { classifyError, classifyPayload, defectError } from './classify-error.ts';
import { saysItFailed } from './says-it-failed.ts';
import { findResults, type Primary } from './find-results.ts';
import { isEmptyAnswer } from './is-empty-answer.ts';
import { limits } from './limits.ts';
import { itemWithout, matchItems, type MatchedItems } from './match-items.ts';
import { isMutating, isUncertain } from './may-have-happened.ts';
import { type Entry, hasContradiction, hasWordFlag, readEntry } from './read-entry.ts';
import { nothing, type Payload, readPayload } from './read-payload.ts';
import { structuredError } from './structured-error.ts';
import { business } from './verdict.ts';
import { soundsUnfinished } from './verdict-of-text.ts';

/** What was concluded from an execution, before it is put into the contract's words. */
export type Reading = {
  readonly outcome: AggregateOutcome;
  readonly data: unknown;
  readonly error: StructuredError | null;
  readonly secondaryError: StructuredError | null;
  readonly items: readonly ResultItem[];
  readonly unrequested: readonly ResultItem[];
  readonly isMultiItem: boolean;
  readonly isEmpty: boolean;
  readonly note: string | null;
  readonly warnings: readonly string[];
};

/** Everything that the cases below look at, gathered once. */
type Evidence = {
  readonly execution: ToolExecution;
  readonly asked: readonly ProposalItem[];
  readonly isMutatingCall: boolean;
  readonly payload: Payload;
  readonly primary: Primary;
  readonly failure: StructuredError | null;
};

/** The story of a reading: unreadable, item by item, failed, without evidence, or plainly answered. The first that applies. */
export function readReading(execution: ToolExecution): Reading {
  const evidence = gather(execution);
  return (
    readDefect(evidence) ??
    readItems(evidence) ??
    readStepOutput(evidence) ??
    readFailure(evidence) ??
    readSilence(evidence) ??
    readAnswer(evidence)
  );
}

function gather(execution: ToolExecution): Evidence {
  const { outcome, invocation } = execution;
  const payload = payloadOf(outcome);
  const isMutatingCall = isMutating(invocation);
  return {
    execution,
    asked: distinct(invocation.items ?? []),
    isMutatingCall,
    payload,
    primary: findResults(execution, payload),
    failure: failureOf(execution, payload, isMutatingCall),
  };
}

/** A tool that went on after its question was cancelled has answered too: what it says of its items is evidence. */
function payloadOf(outcome: ToolExecution['outcome']): Payload {
  if (outcome.kind === 'result') return readPayload(outcome.result);
  return outcome.kind === 'input_required' && outcome.result !== undefined ? readPayload(outcome.result) : nothing;
}

/** An item that was asked for twice is one item. */
function distinct(items: readonly ProposalItem[]): readonly ProposalItem[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

function failureOf(
  { outcome, attempts }: ToolExecution,
  payload: Payload,
  isMutatingCall: boolean,
): StructuredError | null {
  if (outcome.kind !== 'result') return classifyError(outcome, { now: attempts.at(-1)?.ended_at ?? null });
  return payload.isFlagged || saysItFailed(payload, isMutatingCall) ? classifyPayload(payload) : null;
}

/** An answer beyond the limits is refused by name; whether a mutating call had its effect stays open, because its evidence is not read. */
function readDefect(evidence: Evidence): Reading | null {
  const { payload, primary } = evidence;
  const isTooLong = (primary.results?.length ?? 0) > limits.results;
  const defect = payload.defect ?? (isTooLong ? 'too_large' : null);
  if (defect === null) return null;
  return withoutEvidence(evidence, { error: defectError(defect), isOpen: true, isMultiItem: false });
}

/** `results` with a flag per item: the tool's own account, which no later failure and no outer flag outranks. */
function readItems(evidence: Evidence): Reading | null {
  const { primary, asked, failure, payload } = evidence;
  const results = primary.results ?? [];
  const entries = results.map(readEntry);
  if (!isAccount(entries, evidence)) return null;
  const matched = matchItems(asked, entries);
  const outcome = aggregateItems(matched.items);
  return {
    outcome,
    data: primary.stepOutput ?? payload.data,
    error: itemsError(outcome, matched, failure),
    secondaryError: failure !== null && (results.length > 1 || outcome === 'SUCCESS') ? failure : null,
    items: matched.items,
    unrequested: matched.unrequested,
    isMultiItem: matched.items.length > 1,
    isEmpty: false,
    note: null,
    warnings: [...matched.warnings, ...flagWarnings(results, entries)],
  };
}

/**
 * A read must flag every entry, as seeds/000 section 5 says: other lists are data. For a call that may have had an effect one flag is enough,
 * because the list is then all the evidence there is: entries without a flag are unknown, and silence about them would read as success.
 */
function isAccount(entries: readonly Entry[], { isMutatingCall }: Evidence): boolean {
  if (entries.length === 0) return false;
  const hasFlag = (entry: Entry): boolean => entry.outcome !== null;
  return isMutatingCall ? entries.some(hasFlag) : entries.every(hasFlag);
}

/** With all items failed, the call failed for their reasons; while any is open, no reason is known for the whole. */
function itemsError(
  outcome: AggregateOutcome,
  { items }: MatchedItems,
  failure: StructuredError | null,
): StructuredError | null {
  if (outcome === 'SUCCESS' || outcome === 'PARTIAL_SUCCESS') return null;
  if (outcome === 'UNKNOWN') return structuredError(business, 'tool.unclassified', defaultMessages.noEvidenceOfItems);
  const reasons = [...new Set(items.map(({ reason }) => reason).filter((reason) => typeof reason === 'string'))];
  if (items.length === 1 && failure !== null && reasons.length === 0) return failure;
  const isRetryable = items.every((item) => item.is_retryable === true);
  const verdict = isRetryable ? ({ errorCategory: 'transient', isRetryable } as const) : business;
  return structuredError(
    verdict,
    'tool.error',
    reasons.length === 0 ? defaultMessages.nothingProcessed : reasons.slice(0, 5).join('; '),
  );
}

function flagWarnings(results: readonly unknown[], entries: readonly Entry[]): readonly string[] {
  const missing = entries.filter(({ outcome }) => outcome === null).length;
  const words = results.filter(hasWordFlag).length;
  const contradictions = results.filter(hasContradiction).length;
  return [
    ...(missing > 0 ? [`${missing} entries in results have no boolean success or ok`] : []),
    ...(words > 0 ? [`${words} entries in results have a word where a boolean belongs`] : []),
    ...(contradictions > 0 ? [`${contradictions} entries in results have success and ok disagreeing`] : []),
  ];
}

/** The primary step of a workflow ended well on its own account: what failed afterwards is secondary. */
function readStepOutput(evidence: Evidence): Reading | null {
  const output = evidence.primary.stepOutput;
  const endedWell = isRecord(output) && (output.success === true || output.ok === true);
  if (!endedWell || evidence.asked.length > 1) return null;
  const answered = readAnswer({ ...evidence, payload: { ...evidence.payload, data: output } });
  return { ...answered, secondaryError: evidence.failure };
}

/** The call failed as a whole, or may have. */
function readFailure(evidence: Evidence): Reading | null {
  const { failure, execution, payload, asked } = evidence;
  if (failure === null) return null;
  const isSummary =
    execution.outcome.kind === 'result' &&
    asked.length > 1 &&
    (!payload.isFlagged || (failure.partialResults ?? []).length > 0);
  const reading = withoutEvidence(evidence, {
    error: failure,
    isOpen: isSummary || isOpenAfter(evidence, failure),
    isMultiItem: !isSummary && asked.length > 1,
  });
  return isSummary
    ? { ...reading, warnings: [`one verdict for ${asked.length} items and no results to tell them apart`] }
    : reading;
}

/**
 * Whether a failed call may have had its effect. An answer of the tool settles it, except where the answer itself speaks of a loss in the
 * middle of the work (and does not promise that a retry is safe), or says only "later" about a call of which an earlier attempt is open.
 */
function isOpenAfter({ execution }: Evidence, failure: StructuredError): boolean {
  if (execution.outcome.kind !== 'result') return isUncertain(execution);
  if (failure.errorCategory !== 'transient' && failure.code !== 'tool.unclassified') return false;
  return isUncertain(execution) || (failure.errorCategory === 'transient' && isLossInside(execution, failure));
}

function isLossInside({ outcome }: ToolExecution, failure: StructuredError): boolean {
  if (outcome.kind !== 'result' || promisesRetry(readPayload(outcome.result))) return false;
  return soundsUnfinished(failure.message);
}

function promisesRetry(payload: Payload): boolean {
  return payload.sources.some((source) =>
    [source, source.error].some((value) => isRecord(value) && (value.isRetryable ?? value.is_retryable) === true),
  );
}

/** A mutating call that was answered without evidence of its effect: nothing at all, or one answer for several items. */
function readSilence(evidence: Evidence): Reading | null {
  const { payload, asked, isMutatingCall, execution, primary } = evidence;
  if (!isMutatingCall) return null;
  const isMute = payload.saysNothing && execution.invocation.operation_type === 'transactional';
  const isUnaccounted = asked.length > 1 || (asked.length === 1 && primary.results?.length === 0);
  if (!isMute && !isUnaccounted) return null;
  const message = isMute ? defaultMessages.noEvidence : defaultMessages.noEvidenceOfItems;
  const reading = withoutEvidence(evidence, {
    error: structuredError(business, 'tool.unclassified', message),
    isOpen: true,
    isMultiItem: false,
  });
  const warning = isMute
    ? 'a transactional tool answered with nothing'
    : `${asked.length} items were asked for and results accounts for none of them`;
  return { ...reading, data: payload.data, warnings: [warning] };
}

/** A plain success, possibly an empty one. */
function readAnswer({ payload, asked, execution }: Evidence): Reading {
  const isEmpty = isEmptyAnswer(payload.data);
  return {
    outcome: 'SUCCESS',
    data: payload.data,
    error: null,
    secondaryError: null,
    items: asked.length === 1 ? asked.map((item) => answeredItem(item, payload)) : [],
    unrequested: [],
    isMultiItem: false,
    isEmpty,
    note: noteOf(payload, isEmpty, execution.invocation.tool_name),
    warnings: [],
  };
}

function answeredItem(item: ProposalItem, payload: Payload): ResultItem {
  const { protocol } = readEntry(payload.data);
  return { ...itemWithout({ item, outcome: 'succeeded', reason: null }), protocol };
}

function noteOf(payload: Payload, isEmpty: boolean, tool: string): string | null {
  const own = isRecord(payload.data) && typeof payload.data.note === 'string' ? payload.data.note : null;
  if (own !== null) return own;
  if (isEmpty) return `${tool} executed, count 0`;
  return payload.otherBlocks === null ? null : `${payload.otherBlocks} returned`;
}

/** The reading of a call without an account of its items: all of them failed, or all of them are open. */
function withoutEvidence(
  { asked, payload, isMutatingCall }: Evidence,
  { error, isOpen, isMultiItem }: { error: StructuredError; isOpen: boolean; isMultiItem: boolean },
): Reading {
  const isUnknown = isOpen && isMutatingCall;
  const outcome = isUnknown ? 'unknown' : 'failed';
  const reason = isUnknown ? 'no_evidence' : error.message;
  return {
    outcome: isUnknown ? 'UNKNOWN' : 'FAILED',
    data: payload.defect === null ? payload.data : null,
    error,
    secondaryError: null,
    items: asked.map((item) => itemWithout({ item, outcome, reason, isRetryable: !isUnknown && error.isRetryable })),
    unrequested: [],
    isMultiItem,
    isEmpty: false,
    note: null,
    warnings: [],
  };
}
