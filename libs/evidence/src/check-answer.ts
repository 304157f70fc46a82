import { type EvidenceBundle, type EvidenceReceipt, platformVersion, ToolResult } from '@latch/contracts';
import { isErased } from '@latch/event-store';
import { readToolResult, shortenedResults } from '@latch/outcome';
import { type BundledFact } from './facts-of-bundle.ts';
import { isSame, unless, when } from './finding.ts';

/** A result that reached the conversation. */
export type ToldResult = {
  readonly id: string;
  /** As the event holds it: a ToolResult, or the marker of an erased one. */
  readonly result: unknown;
  /** False for one that came too late, or for nobody. */
  readonly isActedUpon: boolean;
};

/** The results that the events hold, by their calls. */
export function resultsIn(facts: readonly BundledFact[]): ReadonlyMap<string, ToldResult> {
  const told = facts.flatMap(({ fact }) => {
    if (fact.type !== 'ToolResultReceived' && fact.type !== 'InputIgnored') return [];
    const { input } = fact;
    if (input.type !== 'ToolResultArrived') return [];
    return [{ id: input.invocationId, result: input.result, isActedUpon: fact.type === 'ToolResultReceived' }];
  });
  // What was acted upon counts before what was ignored.
  return new Map(told.toSorted((a, b) => Number(a.isActedUpon) - Number(b.isActedUpon)).map((one) => [one.id, one]));
}

/** The result that reached the conversation is what the normalizer reads in the recorded execution, byte for byte. */
export function answerProblems(
  { execution, attempts, status }: EvidenceReceipt,
  told: ToldResult | undefined,
  { exported_by: release }: EvidenceBundle,
): readonly string[] {
  if (execution === null) return unless(status !== 'DONE', 'its outcome is left out, and is not erased');
  if (execution.rebuilt !== undefined) return [rebuiltProblem(execution.rebuilt.sequence)];
  const outcomes = new Map(execution.attempts.map(({ number, outcome }) => [number, outcome]));
  const problems = unless(
    attempts.every(
      ({ number, outcome }) => outcome === undefined || isSame(outcome, outcomes.get(number) ?? execution.outcome),
    ),
    'an attempt brought something else than its outcome says',
  );
  if (told === undefined) return problems;
  if (isErased(told.result)) return [...problems, 'it says what came back, and the result is erased'];
  const result = ToolResult.parse(told.result);
  const read = shortenedResults(readToolResult(execution));
  const isRead = release === platformVersion ? isOneOf(read, result) : isOneOf(read.map(claimsOf), claimsOf(result));
  return [...problems, ...when(!isRead, 'the result that was acted upon is not what was recorded')];
}

function rebuiltProblem(sequence: number): string {
  return `its record was lost; what stands for it was made from event ${sequence} and proves nothing`;
}

function isOneOf(read: readonly unknown[], result: unknown): boolean {
  return read.some((one) => isSame(one, result));
}

/** What a result claims; another release may put more beside it. */
function claimsOf(result: ToolResult): unknown {
  const { ok, outcome, empty, error, tool_name, invocation_id, transaction_id, purpose, data, items = [] } = result;
  return {
    ...{ ok, outcome, empty: empty ?? false, code: error?.errorCategory ?? null, attempts: result.attempts ?? null },
    ...{
      tool_name,
      invocation_id,
      transaction_id: transaction_id ?? null,
      purpose: purpose ?? null,
      data: data ?? null,
    },
    items: items.map((item) => [item.id, item.outcome, item.protocol ?? null, item.reason ?? null]),
  };
}
