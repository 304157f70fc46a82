import { describe, expect, it } from '@jest/globals';
import { EvaluationResult } from '@latch/contracts';
import { scoreTurn } from './score-turn.ts';
import { finishedTurn, partialResult, responseTo } from './turn.features.ts';

const at = '2026-11-30T12:00:01.000Z';
const result = partialResult();

describe('a turn that tells the truth', () => {
  it('passes both judges, and its evaluation is a valid contract that names its evidence', () => {
    const evaluation = scoreTurn(finishedTurn(responseTo(result), [result]), at);
    expect(EvaluationResult.safeParse(evaluation).success).toBe(true);
    expect(evaluation).toMatchObject({
      verdict: 'pass',
      findings: [],
      evidence: ['answer-1', 'result-1'],
      scores: [
        { metric: 'tool_correctness', score: 1, verdict: 'pass' },
        { metric: 'groundedness', score: 1, verdict: 'pass' },
      ],
    });
  });

  it('has one result id, whenever it is judged; another turn has another', () => {
    const turn = finishedTurn(responseTo(result), [result]);
    const again = scoreTurn(turn, '2027-01-01T00:00:00.000Z');
    expect(again.result_id).toBe(scoreTurn(turn, at).result_id);
    const other = { ...turn, envelope: { ...turn.envelope, event_id: 'answer-2' } };
    expect(scoreTurn(other, at).result_id).not.toBe(again.result_id);
  });
});

describe('a turn whose words go beyond the evidence', () => {
  const saying = (text: string): EvaluationResult =>
    scoreTurn(finishedTurn({ ...responseTo(result), text }, [result]), at);

  it('fails groundedness for an invented protocol, amount or outcome, and says which', () => {
    const honest = responseTo(result).text;
    for (const text of [
      honest.replace('P-1001', 'P-9999'),
      `${honest} Você recebe R$ 50,00 de volta.`,
      'Concluídos: TIM Fashion (P-1001), Aya Audiobooks (P-1002) e Neymar Jr.',
    ]) {
      const evaluation = saying(text);
      expect(evaluation.verdict).toBe('fail');
      expect(evaluation.scores[1]).toMatchObject({ metric: 'groundedness', verdict: 'fail' });
      expect(evaluation.findings.join()).toContain('not grounded');
    }
  });

  it('may repeat what the tool was asked for', () => {
    const asked = finishedTurn(responseTo(result), [result]);
    const evidence = asked.evidence.map((one) => ({
      ...one,
      approved: one.approved && {
        ...one.approved,
        invocation: { ...one.approved.invocation, arguments: { valor: 71.99 } },
      },
    }));
    const response = { ...asked.response, text: `${asked.response.text} Valor: R$ 71,99.` };
    expect(scoreTurn({ ...asked, response, evidence }, at).verdict).toBe('pass');
    expect(scoreTurn({ ...asked, response }, at).verdict).toBe('fail');
  });
});

describe('a turn without a tool', () => {
  it('is inconclusive: skipped is never a pass', () => {
    const evaluation = scoreTurn(finishedTurn(responseTo(undefined), [], 'turn-1'), at);
    expect(evaluation.verdict).toBe('inconclusive');
    expect(evaluation.scores).toMatchObject([
      { score: null, verdict: 'skipped' },
      { score: null, verdict: 'skipped' },
    ]);
  });
});

describe('a turn whose cause never came', () => {
  it('says so in its findings', () => {
    const evaluation = scoreTurn(finishedTurn(responseTo(undefined), [], 'result-9'), at);
    expect(evaluation.findings).toEqual(['The tool result that caused the answer did not arrive in time.']);
    expect(evaluation.verdict).toBe('inconclusive');
  });
});
