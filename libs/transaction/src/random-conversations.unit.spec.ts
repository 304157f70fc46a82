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

/** 300, in CI 10,000 (jest.config.mjs); LATCH_TEST_HISTORIES asks for any other number. */
const histories = Number(Reflect.get(globalThis, 'histories') ?? 300);

/** One thing that happens to a conversation; the reference holds the engine to every promise after it. */
class Happening implements fc.Command<Reference, Conversation> {
  constructor(private readonly next: Step) {}

  check(): boolean {
    return true;
  }

  run(reference: Reference, talk: Conversation): void {
    const input = play(talk, this.next);
    if (input === null) return;
    talk.hear(input);
    reference.check(talk, input);
  }

  toString(): string {
    return JSON.stringify(this.next);
  }
}

/**
 * Random users, tools, redeliveries and clocks against a reference that knows only what goes in and what comes out. A failure prints its seed, its path and the
 * shortest history that still fails; they can be given back as `fc.assert(…, { seed, path })` and `fc.commands(…, { replayPath })`.
 */
describe('any conversation', () => {
  it('keeps every promise after every step', () => {
    const happenings = step.map((next) => new Happening(next));
    const history = fc.commands([happenings], { maxCommands: 25, size: 'max' });
    fc.assert(
      fc.property(history, (steps) => {
        const [reference, talk] = [new Reference(), new Conversation(agent)];
        fc.modelRun(() => ({ model: reference, real: talk }), steps);
        drain(talk, reference);
        reference.checkEveryTurnIsAnswered();
        checkReplay(talk);
      }),
      { numRuns: histories },
    );
  }, 300_000);
});

/** Whatever still runs is answered by nobody, until its deadline. */
function drain(talk: Conversation, reference: Reference): void {
  const silence = new Happening({ kind: 'deadline', afterSeconds: 200 });
  for (let round = 0; round < 3 && ['PRE_VALIDATION', 'EXECUTING'].includes(talk.status); round += 1) {
    silence.run(reference, talk);
  }
}

function checkReplay(talk: Conversation): void {
  const folded = fold(newConversation(), talk.events);
  const stored: unknown = JSON.parse(JSON.stringify(talk.state));
  if (canonicalJson(folded) !== canonicalJson(stored)) throw new Error('the state is not the fold of the events');
  const divergence = redecide(newConversation(), talk.events, (digest) => talk.agentOf(digest));
  if (divergence !== null) throw new Error(`decided otherwise: ${JSON.stringify(divergence)}`);
}
