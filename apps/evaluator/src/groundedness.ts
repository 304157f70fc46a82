import { type AggregateOutcome } from '@latch/contracts';
import { checkEvidence, type Evidence as TextEvidence } from '@latch/presentation';
import { causeOf, type FinishedTurn, outcomeOf, reportedResult } from './finished-turn.ts';
import { type Check } from './tool-correctness.ts';

/**
 * Whether the words claim only what the evidence holds (invariant I22). Empty when the answer rests on no tool: what it repeats is then the user's own.
 */
export function checkGroundedness(turn: FinishedTurn): readonly Check[] {
  const { text, metadata } = turn.response;
  if (text.trim() === '' || (!metadata.outcome && !causeOf(turn))) return [];
  const checked = checkEvidence(text, textEvidenceOf(turn));
  if (checked.ok) return [{ holds: true, finding: '' }];
  return checked.error.map((problem) => ({ holds: false, finding: `The text is not grounded: ${problem}.` }));
}

/** The result that is reported, and as facts everything that the tools said and were asked for in this transaction. */
function textEvidenceOf(turn: FinishedTurn): TextEvidence {
  const { outcome } = turn.response.metadata;
  const reported = outcome ? reportedResult(turn)?.result : undefined;
  return {
    outcome: reported ? outcomeOf(reported) : unknownOnly(outcome),
    items: reported?.items ?? [],
    facts: turn.evidence.map(({ result, approved }) => ({
      said: { data: result.data, items: result.items, error: result.error, note: result.note },
      asked: { arguments: approved?.invocation.arguments, items: approved?.invocation.items },
    })),
  };
}

/** That nobody knows the outcome may be said without any evidence. */
function unknownOnly(outcome: string | null | undefined): AggregateOutcome | null {
  return outcome === 'UNKNOWN' ? outcome : null;
}
