import { describe, expect, it } from '@jest/globals';
import { type DeadLetterRedrive } from '@latch/contracts';
import { type Letter, type SentAgain } from './letter.ts';
import { letterOfTurn } from './letter.features.ts';
import { LatestTurns } from './latest-turns.ts';
import { type PlanContext, planRedrive } from './plan-redrive.ts';
import { RedriveHistory } from './redrive-history.ts';

const now = '2026-12-01T13:00:00.000Z';
const never: SentAgain = { times: 0, lastAt: null, by: null, unclearSince: null };

function wordFor(letter: Letter, more: Partial<PlanContext> = {}, others: readonly Letter[] = []): string {
  const latestTurns = new LatestTurns(undefined);
  for (const each of [letter, ...others]) latestTurns.add(each);
  const context = { sentAgain: never, latestTurns, signing: undefined, again: false, evenIfOld: false, now };
  const verdict = planRedrive(letter, { ...context, ...more });
  return verdict.may ? 'sent' : verdict.refusal.word;
}

describe('a dead turn', () => {
  it('may be sent again once', () => {
    const sentAgain = { ...never, times: 1, lastAt: now, by: 'ana' };
    expect(wordFor(letterOfTurn())).toBe('sent');
    expect(wordFor(letterOfTurn(), { sentAgain })).toBe('sent_before');
    expect(wordFor(letterOfTurn(), { sentAgain, again: true })).toBe('sent');
  });

  it('is told for unclear when a sending of it broke off', () => {
    const sentAgain = { ...never, unclearSince: now };
    expect(wordFor(letterOfTurn(), { sentAgain })).toBe('unclear');
    expect(wordFor(letterOfTurn(), { sentAgain, again: true })).toBe('sent');
  });

  it('stays when its person said something later that died too, and not when somebody else did', () => {
    const later = { at: '2026-12-01T12:30:00.000Z', offset: '43' };
    expect(wordFor(letterOfTurn(), {}, [letterOfTurn(later)])).toBe('superseded');
    expect(wordFor(letterOfTurn(later), {}, [letterOfTurn()])).toBe('sent');
    expect(wordFor(letterOfTurn(), {}, [letterOfTurn({ ...later, key: 'acme:retail_orders:s2' })])).toBe('sent');
  });

  it('is not taken back by a word that nobody of ours has sent', () => {
    const forged = letterOfTurn({ at: '2026-12-01T12:30:00.000Z', offset: '43', code: 'message.not_authentic' });
    expect(wordFor(letterOfTurn(), {}, [forged])).toBe('sent');
  });

  it('stays when it was said more than a day ago, unless that is wanted', () => {
    const old = letterOfTurn({ at: '2026-11-30T12:59:00.000Z' });
    expect(wordFor(old)).toBe('old');
    expect(wordFor(old, { evenIfOld: true })).toBe('sent');
  });
});

describe('what was sent again', () => {
  const mark = (step: DeadLetterRedrive['step'], run_id: string): DeadLetterRedrive => ({
    ...{ letter: { event_id: 'e', partition: 2, offset: '42' }, by: 'ana', at: `at ${run_id}` },
    ...{ source: { topic: 'latch.turns.v1', partition: 1, offset: '42' }, step, run_id },
  });

  it('is counted by the message, whichever of its letters it was', () => {
    const history = new RedriveHistory();
    for (const run of ['r1', 'r2']) for (const step of ['begun', 'sent'] as const) history.add(mark(step, run));
    const sent = { times: 2, lastAt: 'at r2', by: 'ana', unclearSince: null };
    expect(history.of(letterOfTurn())).toEqual(sent);
    expect(history.of(letterOfTurn({ consumer: 'evaluator', letterOffset: '99' }))).toEqual(sent);
    expect(history.of(letterOfTurn({ offset: '43' }))).toEqual(never);
  });

  it('is unclear where it began and nobody knows how it ended, until it is sent for sure', () => {
    const history = new RedriveHistory();
    history.add(mark('begun', 'r1'));
    expect(history.of(letterOfTurn())).toEqual({ ...never, unclearSince: 'at r1' });
    history.add(mark('begun', 'r2'));
    history.add(mark('sent', 'r2'));
    expect(history.of(letterOfTurn())).toEqual({ times: 1, lastAt: 'at r2', by: 'ana', unclearSince: null });
    history.add(mark('begun', 'r3'));
    expect(history.of(letterOfTurn())).toMatchObject({ times: 1, unclearSince: 'at r3' });
  });

  it('is not unclear where Kafka refused it for sure, and says nothing of a sending before it', () => {
    const history = new RedriveHistory();
    for (const step of ['begun', 'refused'] as const) history.add(mark(step, 'r1'));
    expect(history.of(letterOfTurn())).toEqual(never);
    history.add(mark('begun', 'r2'));
    for (const step of ['begun', 'refused'] as const) history.add(mark(step, 'r3'));
    expect(history.of(letterOfTurn())).toEqual({ ...never, unclearSince: 'at r2' });
  });
});
