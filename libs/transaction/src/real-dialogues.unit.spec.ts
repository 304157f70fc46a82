import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  type AgentConfig,
  type ParameterConfig,
  type ParameterType,
  type StructuredInputs,
  type ToolConfig,
  type ToolResult,
} from '@latch/contracts';
import { agentWith, parameter, tool } from './fixtures/agent.ts';
import { Conversation } from './fixtures/conversation.ts';
import { effectiveArguments, endedArguments, statusOf } from './to-agent-state.ts';

/**
 * Real dialogues between people and an assistant (fixtures/NOTICE.md), driven by what each turn was annotated to mean, as a form would send it. The state
 * after every turn, the missing parameters, the arguments and the exact call must be the expected ones.
 */
type Turn = {
  readonly user_text: string;
  readonly nlu: {
    readonly start_tool?: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
    readonly context_parameters?: Readonly<Record<string, unknown>>;
    readonly decision?: 'affirm' | 'negate' | 'cancel';
  };
  readonly tool_outcome?: { readonly ok: boolean; readonly results: number };
  readonly expected: {
    readonly active_tool: string | null;
    readonly status: string;
    readonly missing_parameters?: readonly string[];
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly tool_call?: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };
    readonly corrected?: readonly string[];
    readonly interrupted?: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };
    readonly cancelled?: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };
  };
};
type Dialogue = { readonly dialogue_id: string; readonly kind?: string; readonly turns: readonly Turn[] };
type DeclaredTool = {
  readonly name: string;
  readonly operation_type: 'read_only' | 'transactional';
  readonly require_confirmation: boolean;
  readonly requires: readonly string[];
  readonly args_schema: Readonly<
    Record<string, { readonly type: ParameterType; readonly enum?: readonly string[]; readonly default?: unknown }>
  >;
};

const folder = path.join(import.meta.dirname, 'fixtures');
const agent = agentOf({ ...toolsIn('sgd-tools.json'), ...toolsIn('tau-tools.json') });

/**
 * Two dialogues of tau-bench are left out on purpose: there a required `address2` is filled with empty text. A form sends every field that nobody touched as
 * empty text, so that for us an empty value is one that was not given; a parameter that may be empty is not declared as required.
 */
describe.each(['sgd-lifecycle.jsonl', 'sgd-composed.jsonl', 'tau-lifecycle.jsonl'])('the dialogues of %s', (file) => {
  it.each(dialoguesIn(file).map((dialogue) => [dialogue.dialogue_id, dialogue] as const))('%s', (_, dialogue) => {
    const talk = new Conversation(agent);
    const played = dialogue.turns.map((turn) => play(talk, turn));
    expect(played).toEqual(dialogue.turns.map(expectationOfTurn));
  });
});

function play(talk: Conversation, turn: Turn): unknown {
  const runsBefore = talk.executions().length;
  const parkedBefore = talk.state.parked.length;
  const correctionsBefore = correctionsIn(talk).length;
  talk.says({ text: turn.user_text, turn: { inputs: inputsOf(turn) } });
  const started = talk.executions().slice(runsBefore);
  if (started.length > 0 && turn.tool_outcome) talk.answers(resultOf(turn.tool_outcome));
  const { transaction, parked } = talk.state;
  return {
    status: statusOf(talk.state),
    active_tool: transaction?.tool ?? null,
    missing_parameters: transaction?.status === 'COLLECTING_PARAMETERS' ? transaction.missing : [],
    arguments: shownArguments(talk),
    calls: started.map(({ call }) => ({ tool: call.tool, arguments: call.arguments })),
    // The data set calls a changed value a correction only beside a "no"; we record each one that replaces an earlier value.
    corrected: turn.nlu.decision === 'negate' ? [...correctionsIn(talk).slice(correctionsBefore)].sort() : [],
    parked: parked.slice(0, parked.length - parkedBefore).map((entry) => entry.tool),
    cancelled: statusOf(talk.state) === 'CANCELLED' ? [talk.state.last?.tool] : [],
  };
}

function correctionsIn({ state }: Conversation): readonly string[] {
  return (state.transaction?.corrections ?? []).map(({ parameter: name }) => name);
}

function shownArguments({ state: { transaction, last } }: Conversation): unknown {
  if (transaction !== null) return effectiveArguments(transaction);
  return last === null ? {} : endedArguments(last);
}

/** What is expected of a turn, in the same form. A row that says nothing about arguments says that nothing is open. */
function expectationOfTurn({ expected }: Turn): unknown {
  return {
    status: expected.status,
    active_tool: expected.active_tool,
    missing_parameters: expected.missing_parameters ?? [],
    arguments: expected.arguments ?? expected.cancelled?.arguments ?? expect.anything(),
    calls: expected.tool_call ? [expected.tool_call] : [],
    corrected: [...(expected.corrected ?? [])].sort(),
    parked: expected.interrupted ? [expected.interrupted.tool] : [],
    cancelled: expected.cancelled ? [expected.cancelled.tool] : [],
  };
}

function inputsOf({ nlu }: Turn): StructuredInputs | null {
  const values = { ...nlu.context_parameters, ...nlu.parameters };
  if (Object.keys(nlu).length === 0) return null;
  return {
    ...(nlu.start_tool === undefined ? {} : { intent: nlu.start_tool }),
    ...(Object.keys(values).length === 0 ? {} : { arguments: values }),
    ...(nlu.decision === 'affirm' ? { confirmation: 'yes' as const } : {}),
    ...(nlu.decision === 'negate' ? { confirmation: 'no' as const } : {}),
    ...(nlu.decision === 'cancel' ? { abandon: true } : {}),
  };
}

function resultOf({ ok, results }: { readonly ok: boolean; readonly results: number }): Partial<ToolResult> {
  if (ok) return { outcome: 'SUCCESS', empty: results === 0, data: { results } };
  const error = { errorCategory: 'business', isRetryable: false, message: 'refused' } as const;
  return { ok: false, outcome: 'FAILED', error, data: null };
}

/** The data set applies the defaults of optional parameters to transactions only; in a search they would be filters that nobody asked for. */
function agentOf(declared: Readonly<Record<string, DeclaredTool>>): AgentConfig {
  const tools = Object.values(declared).map(toolOf);
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

function toolOf(declared: DeclaredTool): ToolConfig {
  const isTransaction = declared.operation_type === 'transactional';
  return tool(
    declared.name,
    Object.entries(declared.args_schema).map(([name, schema]) => parameterOf(name, isTransaction, schema)),
    {
      operationType: declared.operation_type,
      requiresConfirmation: declared.require_confirmation,
      requires: declared.requires,
    },
  );
}

function parameterOf(
  name: string,
  isTransaction: boolean,
  schema: DeclaredTool['args_schema'][string],
): ParameterConfig {
  const isConcrete = schema.default !== '' && schema.default !== 'dontcare';
  return parameter(name, {
    type: schema.type,
    enum: schema.enum ?? null,
    default: isTransaction && isConcrete ? (schema.default ?? null) : null,
  });
}

function toolsIn(file: string): Readonly<Record<string, DeclaredTool>> {
  return JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
}

function dialoguesIn(file: string): readonly Dialogue[] {
  return readFileSync(path.join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Dialogue => JSON.parse(line));
}
