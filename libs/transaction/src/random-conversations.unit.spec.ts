import { describe, it } from '@jest/globals';
import { canonicalJson } from '@latch/contracts';
import fc from 'fast-check';
import { agentWith } from './fixtures/agent.ts';
import { Conversation, newConversation } from './fixtures/conversation.ts';
import { play, type Step, step } from './fixtures/random-step.features.ts';
import { Reference } from './fixtures/reference.ts';
import { fold, redecide } from './replay.ts';

/** One place to park in, so that the bound is met often. */
const agent = agentWith({ maxParked: 1 });

/** More histories: `jest --globals '{"histories":10000}'`. */
const histories = Number(Reflect.get(globalThis, 'histories') ?? 300);

/**
 * Random users, tools, redeliveries and clocks against a reference that knows only what goes in and what comes out. The seed of a failure is printed and
 * can be given back as `fc.assert(…, { seed })`.
 */
describe('any conversation', () => {
  it('keeps every promise after every step', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        const talk = new Conversation(agent);
        const reference = new Reference();
        for (const next of steps) playChecked(talk, reference, next);
        drain(talk, reference);
        reference.checkEveryTurnIsAnswered();
        checkReplay(talk);
      }),
      { numRuns: histories },
    );
  });
});

function playChecked(talk: Conversation, reference: Reference, next: Step): void {
  const input = play(talk, next);
  if (input === null) return;
  talk.hear(input);
  reference.check(talk, input);
}

/** Whatever still runs is answered by nobody, until its deadline. */
function drain(talk: Conversation, reference: Reference): void {
  for (let round = 0; round < 3 && ['PRE_VALIDATION', 'EXECUTING'].includes(talk.status); round += 1) {
    playChecked(talk, reference, { kind: 'deadline', afterSeconds: 200 });
  }
}

function checkReplay(talk: Conversation): void {
  const folded = fold(newConversation(), talk.events);
  const stored: unknown = JSON.parse(JSON.stringify(talk.state));
  if (canonicalJson(folded) !== canonicalJson(stored)) throw new Error('the state is not the fold of the events');
  const divergence = redecide(newConversation(), talk.events, agent);
  if (divergence !== null) throw new Error(`decided otherwise: ${JSON.stringify(divergence)}`);
}
