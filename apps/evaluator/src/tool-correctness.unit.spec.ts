import { describe, expect, it } from '@jest/globals';
import { type ChannelResponse, type ToolResult } from '@latch/contracts';
import { type Evidence, type FinishedTurn, hasItsEvidence } from './finished-turn.ts';
import { checkToolCorrectness } from './tool-correctness.ts';
import { approvalOf, finishedTurn, partialResult, responseTo } from './turn.features.ts';

const result = partialResult();

function findings(turn: FinishedTurn): readonly string[] {
  return checkToolCorrectness(turn).flatMap(({ holds, finding }) => (holds ? [] : [finding]));
}

function whenTold(metadata: Partial<ChannelResponse['metadata']>, of: ToolResult = result): readonly string[] {
  return findings(finishedTurn(responseTo(of, metadata), [of]));
}

describe('an answer that reports a tool as it was', () => {
  it('passes every check', () => {
    const turn = finishedTurn(responseTo(result), [result]);
    expect(checkToolCorrectness(turn).length).toBeGreaterThan(3);
    expect(findings(turn)).toEqual([]);
  });

  it('passes for success, failure and unknown alike', () => {
    const item = { id: 'a', label: 'A' } as const;
    const cases: readonly (readonly [Partial<ToolResult>, string])[] = [
      [{ outcome: 'SUCCESS', items: [{ ...item, outcome: 'succeeded' }] }, 'COMPLETED'],
      [{ outcome: 'FAILED', ok: false, items: [{ ...item, outcome: 'failed' }] }, 'FAILED'],
      [{ outcome: 'UNKNOWN', ok: false, items: [{ ...item, outcome: 'unknown' }] }, 'OUTCOME_UNKNOWN'],
    ];
    for (const [more, status] of cases) {
      expect(whenTold({ transaction_status: status }, partialResult(more))).toEqual([]);
    }
  });

  it('passes when it speaks of an earlier transaction while another is open', () => {
    expect(whenTold({ transaction_id: 'transaction-2', transaction_status: 'COLLECTING_PARAMETERS' })).toEqual([]);
  });

  it('passes when the user asks again and the last result of the transaction is told again', () => {
    const older = partialResult({ outcome: 'FAILED', ok: false, items: [] });
    expect(findings(finishedTurn(responseTo(result), [older, result], 'turn-1'))).toEqual([]);
  });
});

describe('an answer that reports something else', () => {
  it('fails for another outcome', () => {
    expect(whenTold({ outcome: 'SUCCESS' })[0]).toContain('reports SUCCESS, and the outcome');
  });

  it('fails for an item that is missing, invented, or told with another outcome', () => {
    const items = result.items ?? [];
    expect(whenTold({ items: items.slice(0, 2) })[0]).toContain('not told: neymar failed');
    expect(whenTold({ items: [...items, { id: 'x', label: 'X', outcome: 'succeeded' }] })[0]).toContain('not so: x');
    expect(whenTold({ items: items.map((item) => ({ ...item, outcome: 'succeeded' })) })[0]).toContain('neymar');
  });

  it('fails for an item that is told twice, or that cannot be read', () => {
    const items = result.items ?? [];
    expect(whenTold({ items: [...items, ...items.slice(0, 1)] })).toHaveLength(1);
    expect(whenTold({ items: [...items, 'something'] })).toHaveLength(1);
  });

  it('fails for a status that does not fit the outcome', () => {
    expect(whenTold({ transaction_status: 'FAILED' })[0]).toContain('is FAILED although');
  });

  it('fails for an error that was hidden', () => {
    const failed = partialResult({
      outcome: 'FAILED',
      ok: false,
      items: [],
      error: { errorCategory: 'permission', isRetryable: false, message: 'no' },
    });
    expect(whenTold({ error: null, transaction_status: 'FAILED' }, failed)[0]).toContain('category none');
  });

  it('fails when another tool ran than the pre-validation chose', () => {
    const chosen = partialResult({
      tool_name: 'validar_vas_subject',
      purpose: 'pre_validation',
      data: { eligible: true, transaction_decision: { target_tool: 'cancelar_produtos' } },
    });
    expect(findings(finishedTurn(responseTo(result), [chosen, result]))[0]).toContain('chose cancelar_produtos');
    const right = { ...result, tool_name: 'cancelar_produtos' };
    expect(findings(finishedTurn(responseTo(right), [chosen, right]))).toEqual([]);
  });
});

describe('a result that nobody approved', () => {
  it('fails, and so does one of another tool than was approved', () => {
    const turn = finishedTurn(responseTo(result), [result]);
    const withApproval = (approved: Evidence['approved']): FinishedTurn => ({
      ...turn,
      evidence: turn.evidence.map((one) => ({ ...one, approved })),
    });
    expect(findings(withApproval(undefined))[0]).toContain('never approved');
    expect(findings(withApproval({ ...approvalOf(result), tool: 'consultar_fatura' }))[0]).toContain('was approved');
  });
});

describe('an answer that claims what no tool said', () => {
  it('fails, also when only a pre-validation ran', () => {
    const validation = partialResult({ purpose: 'pre_validation' });
    expect(findings(finishedTurn(responseTo(result), [], 'turn-1'))[0]).toContain('no tool result says so');
    expect(findings(finishedTurn(responseTo(result), [validation]))[0]).toContain('no tool result says so');
  });

  it('may say that the outcome is unknown', () => {
    const unknown = responseTo(result, { outcome: 'UNKNOWN', items: [], transaction_status: 'OUTCOME_UNKNOWN' });
    expect(checkToolCorrectness(finishedTurn(unknown, [], 'deadline-1'))).toEqual([]);
  });
});

describe('an answer that reports no tool', () => {
  it('has nothing to be checked when none had to be reported', () => {
    expect(checkToolCorrectness(finishedTurn(responseTo(undefined), [], 'turn-1'))).toEqual([]);
    const validation = partialResult({ purpose: 'pre_validation' });
    expect(checkToolCorrectness(finishedTurn(responseTo(undefined), [validation]))).toEqual([]);
  });

  it('fails when a tool had its effect and the answer keeps it quiet', () => {
    expect(findings(finishedTurn(responseTo(undefined), [result]))[0]).toContain('does not say so');
  });

  it('may ask for the wrong argument of a call that failed', () => {
    const failed = partialResult({ outcome: 'FAILED', ok: false });
    expect(checkToolCorrectness(finishedTurn(responseTo(undefined), [failed]))).toEqual([]);
  });
});

describe('the evidence of an answer', () => {
  it('is complete when the result that caused it is here', () => {
    expect(hasItsEvidence(finishedTurn(responseTo(result), [result]))).toBe(true);
    expect(hasItsEvidence(finishedTurn(responseTo(result), [result], 'result-9'))).toBe(false);
    expect(hasItsEvidence(finishedTurn(responseTo(undefined), [], 'result-1'))).toBe(false);
  });

  it('is complete at once for an answer to a message that reports no outcome', () => {
    expect(hasItsEvidence(finishedTurn(responseTo(undefined), [], 'turn-1'))).toBe(true);
    expect(hasItsEvidence(finishedTurn(responseTo(result), [], 'turn-1'))).toBe(false);
  });
});
