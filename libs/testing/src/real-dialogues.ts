import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type AgentState, type ParameterType, type StructuredInputs } from '@latch/contracts';

/** One turn of a real dialogue (fixtures/NOTICE.md): what it was annotated to mean, what the backend answers, and what must be so afterwards. */
export type DialogueTurn = {
  readonly user_text: string | null;
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
    readonly tool_call?: MadeCall;
    readonly corrected?: readonly string[];
    readonly interrupted?: MadeCall;
    readonly cancelled?: MadeCall;
  };
};

/** A tool with the arguments that it was, or would have been, called with. */
export type MadeCall = { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };

/** A real dialogue. `kind`: how a composed one was put together. */
export type Dialogue = {
  readonly dialogue_id: string;
  readonly kind?: string;
  readonly turns: readonly DialogueTurn[];
};

/** A tool of the data sets. */
export type DialogueTool = {
  readonly name: string;
  readonly operation_type: 'read_only' | 'transactional';
  readonly require_confirmation: boolean;
  readonly requires: readonly string[];
  readonly args_schema: Readonly<
    Record<string, { readonly type: ParameterType; readonly enum?: readonly string[]; readonly default?: unknown }>
  >;
};

/** The files of dialogues. Two dialogues of tau-bench are left out; see `real-dialogues.unit.spec.ts` of libs/transaction. */
export const dialogueFiles = ['sgd-lifecycle.jsonl', 'sgd-composed.jsonl', 'tau-lifecycle.jsonl'] as const;

const folder = path.join(import.meta.dirname, 'fixtures');

/** The dialogues of a file. */
export function dialoguesIn(file: (typeof dialogueFiles)[number]): readonly Dialogue[] {
  return readFileSync(path.join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Dialogue => JSON.parse(line));
}

/** The tools that the dialogues are about. */
export function dialogueTools(): readonly DialogueTool[] {
  return ['sgd-tools.json', 'tau-tools.json'].flatMap((file) => {
    const tools: Readonly<Record<string, DialogueTool>> = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    return Object.values(tools);
  });
}

/** The default of a parameter. The data set applies them to transactions only; in a search they would be filters that nobody asked for. */
export function defaultOf(tool: DialogueTool, parameter: string): unknown {
  const declared = tool.args_schema[parameter]?.default;
  const isConcrete = declared !== '' && declared !== 'dontcare';
  return tool.operation_type === 'transactional' && isConcrete ? (declared ?? null) : null;
}

/** What a turn means, as a form or a button sends it; null: it means nothing. */
export function dialogueInputs({ nlu }: DialogueTurn): StructuredInputs | null {
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

/** What became of a turn, in the form in which it is compared. `arguments` null: nothing was or is open. */
export type TurnOutcome = {
  readonly status: string;
  readonly active_tool: string | null;
  readonly missing_parameters: readonly string[];
  readonly arguments: Readonly<Record<string, unknown>> | null;
  readonly calls: readonly MadeCall[];
  readonly corrected: readonly string[];
  readonly parked: readonly string[];
  readonly cancelled: readonly string[];
};

/** What became of a turn, read from the published state before and after it and the calls that were made. */
export function outcomeOfTurn(
  turn: DialogueTurn,
  of: { readonly before: AgentState | undefined; readonly after: AgentState; readonly calls: readonly MadeCall[] },
): TurnOutcome {
  const { before, after, calls } = of;
  return {
    status: after.transaction_status ?? '',
    active_tool: textOf(after.active_transaction?.['tool']),
    missing_parameters: after.missing_parameters ?? [],
    arguments: argumentsIn(after),
    calls,
    // The data set calls a changed value a correction only beside a "no"; we record each one that replaces an earlier value.
    corrected: turn.nlu.decision === 'negate' ? correctionsIn(after).slice(correctionsIn(before).length).sort() : [],
    parked: parkedIn(after).slice(0, parkedIn(after).length - parkedIn(before).length),
    cancelled: after.transaction_status === 'CANCELLED' ? [String(after.last_transaction?.['tool'])] : [],
  };
}

/** What is expected of a turn, in the same form. A row that says nothing about arguments leaves them open: they are those of `actual`. */
export function expectedOfTurn({ expected }: DialogueTurn, actual: TurnOutcome): TurnOutcome {
  return {
    status: expected.status,
    active_tool: expected.active_tool,
    missing_parameters: expected.missing_parameters ?? [],
    arguments: expected.arguments ?? expected.cancelled?.arguments ?? actual.arguments,
    calls: expected.tool_call ? [expected.tool_call] : [],
    corrected: [...(expected.corrected ?? [])].sort(),
    parked: expected.interrupted ? [expected.interrupted.tool] : [],
    cancelled: expected.cancelled ? [expected.cancelled.tool] : [],
  };
}

function argumentsIn(state: AgentState): TurnOutcome['arguments'] {
  const held = state.active_transaction ?? state.last_transaction ?? null;
  return held === null ? null : recordOf(held['arguments']);
}

/** The latest parked first. */
function parkedIn(state: AgentState | undefined): readonly string[] {
  return (state?.parked_transactions ?? []).map(({ tool }) => String(tool));
}

function correctionsIn(state: AgentState | undefined): string[] {
  const corrections = state?.active_transaction?.['corrections'];
  if (!Array.isArray(corrections)) return [];
  return corrections.map((correction: unknown) => String(recordOf(correction)['parameter']));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
