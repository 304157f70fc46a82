import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Talk } from '@latch/cli';
import { AgentState } from '@latch/contracts';
import {
  type Dialogue,
  dialogueFiles,
  dialogueInputs,
  dialoguesIn,
  dialogueTools,
  type DialogueTurn,
  expectedOfTurn,
  outcomeOfTurn,
  type TurnOutcome,
} from '@latch/testing';
import { dialogueAgentId, type DialogueSystem, startDialogueSystem } from './dialogue-system.ts';

jest.setTimeout(120_000);

const played: readonly Dialogue[] = dialogueFiles.flatMap((file) => dialoguesIn(file));

let running: DialogueSystem | undefined;

function system(): DialogueSystem {
  if (running === undefined) throw new Error('The system did not start.');
  return running;
}

beforeAll(async () => {
  const names = new Set(played.flatMap(({ turns }) => turns.map(({ nlu }) => nlu.start_tool)));
  running = await startDialogueSystem(dialogueTools().filter(({ name }) => names.has(name)));
});
afterAll(() => running?.stop());

/**
 * What libs/transaction proves of the pure engine, over HTTP, Kafka, Postgres and MCP: the state after every turn, and the calls that the domain server saw. A turn
 * that was annotated to mean nothing goes in as its text only, so that the language reader has to find that it means nothing.
 */
describe('real dialogues through the running system', () => {
  it.each(played.map((dialogue) => [dialogue.dialogue_id, dialogue] as const))('%s', async (_, { turns }) => {
    const talk = new Talk(system().ingress, { agentId: dialogueAgentId });
    const [actual, expected]: [TurnOutcome[], TurnOutcome[]] = [[], []];
    for (const turn of turns) {
      const outcome = await play(talk, turn);
      actual.push(outcome);
      expected.push(expectedOfTurn(turn, outcome));
    }
    expect(actual).toEqual(expected);
  });
});

async function play(talk: Talk, turn: DialogueTurn): Promise<TurnOutcome> {
  const before = await system().ingress.state(talk.conversationKey);
  const callsBefore = (await system().domain.calls()).calls.length;
  system().answerWith(turn.tool_outcome ?? { ok: true, results: 1 });
  await talk.ask(turn.user_text ?? '', dialogueInputs(turn) ?? {});
  const { calls } = await system().domain.calls();
  return outcomeOfTurn(turn, {
    before,
    after: AgentState.parse(await system().ingress.state(talk.conversationKey)),
    calls: calls.slice(callsBefore).map(({ tool, arguments: args }) => ({ tool, arguments: Object(args) })),
  });
}
