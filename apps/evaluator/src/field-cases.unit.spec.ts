import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type EvaluationResult, publishedContracts } from '@latch/contracts';
import { createLogger } from '@latch/observability';
import fc from 'fast-check';
import { type FinishedTurn } from './finished-turn.ts';
import { judgeBatch, judgeOverdue, type Judging } from './judge-turns.ts';
import { scoreTurn } from './score-turn.ts';
import { answerEnvelope, finishedTurn, partialResult, received, responseTo } from './turn.features.ts';

/**
 * Reports from the field (fixtures/NOTICE.md) about judges, each held against what the online judges do. They are rules and no model, so that a row about a
 * model's reply is about a judge that cannot judge; and what a row says of a whole run holds of each turn.
 */
type Case = { readonly id: string; readonly context: { readonly threshold?: number }; readonly input: Input };
type Input = {
  readonly transcript?: readonly string[];
  readonly scores?: readonly number[];
  readonly score?: number;
  readonly dataset_items?: number;
};

const cases: readonly Case[] = readFileSync(new URL('./fixtures/field-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Case => JSON.parse(line));
const at = '2026-11-30T12:00:01.000Z';
const result = partialResult();

function found(id: string): Case {
  const row = cases.find((one) => one.id === `field-evaluator-${id}`);
  if (row === undefined) throw new Error(`no row ${id}`);
  return row;
}

/** A store in memory, whose process may die: what was kept is there for the next one. */
class Shelf {
  waiting = [answerEnvelope(responseTo(undefined), { causedBy: 'turn-1', eventId: 'answer-1' })];
  readonly saved = new Map<string, EvaluationResult>();
  readonly published: string[] = [];
  readonly setAside: string[] = [];
  dies = false;
  cannotJudge = false;

  judging(): Judging {
    return {
      store: {
        remember: () => Promise.resolve(),
        waitingIn: () => Promise.resolve(this.waiting),
        waitingSince: () => Promise.resolve(this.waiting),
        evidenceFor: () => (this.cannotJudge ? Promise.reject(new Error('not a number')) : Promise.resolve([])),
        save: (results) => Promise.resolve(results.map((one) => this.keep(one))),
        forget: () => Promise.resolve(void (this.waiting = [])),
        setAside: (answers) => Promise.resolve(void this.setAside.push(...answers.map(({ event_id }) => event_id))),
        forgetEvidenceBefore: () => Promise.resolve(),
        list: () => Promise.resolve([]),
        now: () => Promise.resolve(new Date(at)),
      },
      approvals: { readApprovedInvocations: () => Promise.resolve(new Map()) },
      bus: {
        publish: (messages) => {
          if (this.dies) return Promise.reject(new Error('killed'));
          this.published.push(...messages.map(({ eventId }) => eventId));
          return Promise.resolve();
        },
      },
      logger: createLogger({ service: 'spec', level: 'silent' }),
    };
  }

  /** As in the database: the first result of an id stays. */
  private keep(one: EvaluationResult): EvaluationResult {
    const kept = this.saved.get(one.result_id) ?? one;
    this.saved.set(one.result_id, kept);
    return kept;
  }
}

describe('reports about judges', () => {
  it('001: a judge that cannot judge gives no score and no failing turn', async () => {
    const shelf = new Shelf();
    shelf.cannotJudge = true;
    await judgeBatch(shelf.judging(), [received(answerEnvelope(responseTo(undefined), { causedBy: 'turn-1' }))]);
    expect([shelf.saved.size, shelf.published.length]).toEqual([0, 0]);
    expect(shelf.setAside).toEqual(['answer-1']);
  });

  it('002: where nothing was measured nothing passes', () => {
    expect(found('002').input.dataset_items).toBe(0);
    const { verdict, scores } = scoreTurn(finishedTurn(responseTo(undefined), [], 'turn-1'), at);
    expect(verdict).toBe('inconclusive');
    expect(scores.map(({ score, verdict: own }) => [score, own])).toEqual([
      [null, 'skipped'],
      [null, 'skipped'],
    ]);
  });

  it('003: what a conversation asks of its judge is data and raises no score', () => {
    const [plea = ''] = found('003').input.transcript ?? [];
    const wrong = { ...responseTo(result), text: `Tudo concluído, protocolo P-9999. ${plea}` };
    const pleading = partialResult({ note: plea, data: { note: plea } });
    const verdicts = [result, pleading].map((one) => scoreTurn(finishedTurn(wrong, [one]), at));
    for (const { verdict, scores } of verdicts) {
      expect(verdict).toBe('fail');
      expect(scores.map(({ score }) => score)).toEqual(verdicts[0]?.scores.map(({ score }) => score));
    }
  });

  it('004 (debatable: a score is told as it is, never rounded): a failed one is never shown as its limit', () => {
    expect(found('004').input.score).toBeLessThan(found('004').context.threshold ?? 0);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), (wrongItems) => {
        for (const { score, threshold, verdict, finding } of scoreTurn(withWrongItems(wrongItems), at).scores) {
          if (verdict !== 'fail') continue;
          expect(score).toBeLessThan(threshold);
          expect(finding).not.toContain(String(threshold * 100));
        }
      }),
    );
  });

  it('005: the limit itself is met, anything below it is not, and the contract says so', () => {
    const [met, missed] = [finishedTurn(responseTo(result), [result]), withWrongItems(1)].map((turn) => {
      return scoreTurn(turn, at).scores[0];
    });
    expect([met?.score === met?.threshold, met?.verdict]).toEqual([true, 'pass']);
    expect([(missed?.score ?? 1) < (missed?.threshold ?? 0), missed?.verdict]).toEqual([true, 'fail']);
    const published = publishedContracts.find(({ name }) => name === 'evaluation-result');
    expect(JSON.stringify(published?.schema.toJSONSchema())).toContain('The least score that passes');
  });

  it('006: a judge that is killed leaves nothing running: its successor gives the same evaluation, once', async () => {
    const shelf = new Shelf();
    shelf.dies = true;
    await judgeOverdue(shelf.judging(), { waitMs: 0, limit: 64 });
    expect([shelf.saved.size, shelf.published.length, shelf.waiting.length]).toEqual([1, 0, 1]);
    shelf.dies = false;
    await judgeOverdue(shelf.judging(), { waitMs: 0, limit: 64 });
    expect([shelf.saved.size, shelf.published.length, shelf.waiting.length]).toEqual([1, 1, 0]);
  });

  it('are all held', () => {
    expect(cases.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', '6'].map((n) => `field-evaluator-00${n}`));
  });
});

/** An answer that tells so many items otherwise than they happened. */
function withWrongItems(count: number): FinishedTurn {
  const items = Array.from({ length: count }, (_, n) => ({
    id: `x-${n}`,
    label: `X ${n}`,
    outcome: 'succeeded' as const,
  }));
  const honest = responseTo(result);
  const told = [...(honest.metadata.items ?? []), ...items];
  return finishedTurn({ ...honest, metadata: { ...honest.metadata, items: told } }, [result]);
}
