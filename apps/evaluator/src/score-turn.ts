import { deterministicId, type EvaluationResult, type MetricScore } from '@latch/contracts';
import { type FinishedTurn, hasItsEvidence } from './finished-turn.ts';
import { checkGroundedness } from './groundedness.ts';
import { type Check, checkToolCorrectness } from './tool-correctness.ts';

/** Names the judges and their rules: another rule is another suite. */
export const suiteVersion = 'online-1';

/**
 * Judges one finished turn. Pure: the same turn with the same evidence always gives the same scores, and one turn has one result id, so that a redelivery
 * repeats the evaluation and adds none.
 *
 * The verdict is `fail` when any metric fails, `pass` when at least one passes, else `inconclusive`: a skipped metric is never a pass.
 */
export function scoreTurn(turn: FinishedTurn, evaluatedAt: string): EvaluationResult {
  const { envelope, response, evidence } = turn;
  const scores = [
    scoreOf(
      'tool_correctness',
      checkToolCorrectness(turn),
      'The answer reports no tool, and no tool had to be reported.',
    ),
    scoreOf('groundedness', checkGroundedness(turn), 'The answer rests on no tool result.'),
  ];
  return {
    result_id: deterministicId('evaluation', suiteVersion, envelope.event_id),
    run_id: `online:${envelope.tenant_id}:${envelope.agent_id}`,
    tenant_id: envelope.tenant_id,
    agent_id: envelope.agent_id,
    session_id: envelope.session_id,
    conversation_key: envelope.conversation_key,
    turn_id: response.metadata.turn_id ?? null,
    transaction_id: response.metadata.transaction_id ?? null,
    verdict: verdictOf(scores),
    scores,
    findings: [
      ...scores.flatMap(({ verdict, finding }) => (verdict === 'fail' && finding ? [finding] : [])),
      ...late(turn),
    ],
    evidence: [envelope.event_id, ...evidence.map(({ eventId }) => eventId)],
    suite_version: suiteVersion,
    evaluated_at: evaluatedAt,
    contract_version: 'evaluation-result-v1',
  };
}

/** The share of checks that hold; every one must. */
function scoreOf(metric: string, checks: readonly Check[], skipped: string): MetricScore {
  if (checks.length === 0) return { metric, score: null, threshold: 1, verdict: 'skipped', finding: skipped };
  const failed = checks.filter(({ holds }) => !holds);
  return {
    metric,
    score: (checks.length - failed.length) / checks.length,
    threshold: 1,
    verdict: failed.length === 0 ? 'pass' : 'fail',
    finding: failed.length === 0 ? null : failed.map(({ finding }) => finding).join(' '),
  };
}

function verdictOf(scores: readonly MetricScore[]): EvaluationResult['verdict'] {
  if (scores.some(({ verdict }) => verdict === 'fail')) return 'fail';
  return scores.some(({ verdict }) => verdict === 'pass') ? 'pass' : 'inconclusive';
}

function late(turn: FinishedTurn): readonly string[] {
  return hasItsEvidence(turn) ? [] : ['The tool result that caused the answer did not arrive in time.'];
}
