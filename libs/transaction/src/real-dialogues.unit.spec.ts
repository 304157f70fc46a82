import { describe, expect, it } from '@jest/globals';
import { type AgentConfig, type ToolConfig, type ToolResult } from '@latch/contracts';
import {
  defaultOf,
  dialogueFiles,
  dialogueInputs,
  dialoguesIn,
  type DialogueTool,
  dialogueTools,
  type DialogueTurn,
  expectedOfTurn,
  outcomeOfTurn,
  type TurnOutcome,
} from '@latch/testing';
import { agentWith, parameter, tool } from './fixtures/agent.ts';
import { Conversation } from './fixtures/conversation.ts';
import { toAgentState } from './to-agent-state.ts';

/**
 * Real dialogues between people and an assistant, driven by what each turn was annotated to mean, as a form would send it. The state after every turn, the missing
 * parameters, the arguments and the exact call must be the expected ones. `apps/e2e` drives some of them through the running system.
 *
 * Two dialogues of tau-bench are left out on purpose: there a required `address2` is filled with empty text. A form sends every field that nobody touched as
 * empty text, so that for us an empty value is one that was not given; a parameter that may be empty is not declared as required.
 */
describe.each(dialogueFiles)('the dialogues of %s', (file) => {
  it.each(dialoguesIn(file).map((dialogue) => [dialogue.dialogue_id, dialogue] as const))('%s', (_, dialogue) => {
    const talk = new Conversation(agent);
    const played = dialogue.turns.map((turn) => play(talk, turn));
    expect(played).toEqual(dialogue.turns.map((turn, index) => expectedOfTurn(turn, played[index] ?? nothing)));
  });
});

const nothing = outcomeOfTurn(
  { user_text: null, nlu: {}, expected: { active_tool: null, status: '' } },
  {
    before: undefined,
    after: toAgentState(new Conversation().state),
    calls: [],
  },
);

function play(talk: Conversation, turn: DialogueTurn): TurnOutcome {
  const runsBefore = talk.executions().length;
  const before = toAgentState(talk.state);
  talk.says({ text: turn.user_text ?? '', turn: { inputs: dialogueInputs(turn) } });
  const started = talk.executions().slice(runsBefore);
  if (started.length > 0 && turn.tool_outcome) talk.answers(resultOf(turn.tool_outcome));
  const calls = started.map(({ call }) => ({ tool: call.tool, arguments: call.arguments }));
  return outcomeOfTurn(turn, { before, after: toAgentState(talk.state), calls });
}

function resultOf({ ok, results }: { readonly ok: boolean; readonly results: number }): Partial<ToolResult> {
  if (ok) return { outcome: 'SUCCESS', empty: results === 0, data: { results } };
  const error = { errorCategory: 'business', isRetryable: false, message: 'refused' } as const;
  return { ok: false, outcome: 'FAILED', error, data: null };
}

const agent: AgentConfig = agentOf(dialogueTools().map(toolOf));

function agentOf(tools: readonly ToolConfig[]): AgentConfig {
  return agentWith({
    tools: Object.fromEntries(tools.map((entry) => [entry.name, entry])),
    intents: tools.map(({ name }) => ({
      intent: name,
      route: name,
      tool: name,
      keywords: [],
      examples: [],
      reply: null,
    })),
  });
}

function toolOf(declared: DialogueTool): ToolConfig {
  const parameters = Object.entries(declared.args_schema).map(([name, schema]) =>
    parameter(name, { type: schema.type, enum: schema.enum ?? null, default: defaultOf(declared, name) }),
  );
  return tool(declared.name, parameters, {
    operationType: declared.operation_type,
    requiresConfirmation: declared.require_confirmation,
    requires: declared.requires,
  });
}
