import { type AgentConfig, deterministicId, type ToolConfig, type TurnId } from '@latch/contracts';
import { type TransactionEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { type UserSpoke } from './inputs.ts';
import { isSameJson } from './is-same-json.ts';
import { type ReplySlot } from './reply.ts';
import { type ConversationState, type OpenTransaction } from './state.ts';

/** A decision in the making: the events so far, the state after them, and what the open turn will be told. */
export type Draft = {
  readonly agent: AgentConfig;
  /** When the input happened. */
  readonly at: string;
  /** What caused it, for the ids that are minted: the same cause mints the same ids. */
  readonly cause: string;
  /** The turn that this decision answers; null once a call has taken it over, and when nobody asked. */
  readonly turnId: TurnId | null;
  readonly traceId: string;
  readonly state: ConversationState;
  readonly events: readonly TransactionEvent[];
  readonly said: readonly ReplySlot[];
};

/** The empty decision about a turn. */
export function draftOfTurn(state: ConversationState, turn: UserSpoke, agent: AgentConfig): Draft {
  return {
    agent,
    at: turn.at,
    cause: turn.turnId,
    turnId: turn.turnId,
    traceId: turn.traceId,
    state,
    events: [],
    said: [],
  };
}

/** The open transaction with its tool. */
export type Opened = { readonly tool: ToolConfig; readonly transaction: OpenTransaction };

/** What is open in the draft; null when nothing is. */
export function openedIn(draft: Draft): Opened | null {
  const { transaction } = draft.state;
  return transaction === null ? null : { tool: toolOf(draft.agent, transaction.tool), transaction };
}

/**
 * A tool of the agent. One that the configuration no longer has is described as carefully as can be: nothing new is started with it, and what
 * already runs with it is still told.
 */
export function toolOf(agent: AgentConfig, name: string): ToolConfig {
  return agent.tools[name] ?? { ...unknownTool, name, label: name };
}

const unknownTool: ToolConfig = {
  name: '',
  description: '',
  label: '',
  server: '',
  enabled: false,
  operationType: 'transactional',
  requiresConfirmation: true,
  requires: [],
  parameters: {},
  preValidation: null,
  mapping: { map: {}, defaults: {}, idempotencyArgument: null },
  declaredIdempotent: false,
  reconcileTool: null,
  timeoutMs: 0,
  maxAttempts: 1,
};

/** Adds facts to a decision. */
export function record(draft: Draft, ...events: readonly TransactionEvent[]): Draft {
  const { state, events: before, said } = draft;
  return going(draft, { state: events.reduce(evolve, state), events: [...before, ...events], said });
}

/** Adds things to say to the open turn. */
export function say(draft: Draft, ...slots: readonly ReplySlot[]): Draft {
  const { state, events, said } = draft;
  return going(draft, { state, events, said: [...said, ...slots] });
}

/** Written out: a copy of a copy of a copy costs V8 ten times more, and this runs for every fact. */
function going(
  { agent, at, cause, turnId, traceId }: Draft,
  { state, events, said }: Pick<Draft, 'state' | 'events' | 'said'>,
): Draft {
  return { agent, at, cause, turnId, traceId, state, events, said };
}

/** An id that the same cause always mints again, so that deciding twice gives the same events. */
export function mintId(draft: Draft, ...parts: readonly (string | number)[]): string {
  return deterministicId(draft.state.conversationKey, draft.cause, ...parts);
}

/**
 * Closes a decision: the open turn gets its one answer, or, when nobody asked, the news is kept for the next answer. A turn that a call has
 * taken over is answered when the result arrives.
 */
export function finish(draft: Draft): Draft {
  const { turnId } = draft;
  if (turnId === null) return record(draft, ...draft.said.map((slot) => ({ type: 'NewsKept', slot }) as const));
  const offered = offerParked(draft);
  const slots = withNews(offered);
  return record(offered, {
    type: 'TurnAnswered',
    turnId,
    slots: slots.length > 0 ? slots : [helpSlot(draft.agent)],
    answeredAt: draft.at,
  });
}

/** What is said, behind the news that was kept for it; news that is also the answer to what the user asked is said once. */
function withNews({ state: { untold }, said }: Draft): readonly ReplySlot[] {
  if (untold.length === 0) return said;
  return [...untold, ...said.filter((slot) => !untold.some((news) => isSameJson(news, slot)))];
}

/** What the agent can do, in the words of its tools. */
export function helpSlot(agent: AgentConfig): ReplySlot {
  const tools = agent.intents.flatMap(({ tool }) => (tool === null ? [] : [agent.tools[tool]]));
  const labels = tools.flatMap((tool) => (tool?.enabled === true ? [tool.label] : []));
  return { kind: 'help', options: [...new Set(labels)] };
}

/** Something ended and nothing else is open: the transaction that was interrupted for it is offered again. */
function offerParked(draft: Draft): Draft {
  const [parked] = draft.state.parked;
  const hasEnded = draft.events.some(({ type }) => type === 'TransactionEnded');
  if (parked === undefined || draft.state.transaction !== null || !hasEnded) return draft;
  const offered = record(draft, { type: 'ResumeOffered', transactionId: parked.id });
  return say(offered, { kind: 'offer_resume', toolLabel: toolOf(draft.agent, parked.tool).label });
}
