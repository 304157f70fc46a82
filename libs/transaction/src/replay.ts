import { type AgentConfig } from '@latch/contracts';
import { decide } from './decide.ts';
import { type TransactionEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { type TransactionInput } from './inputs.ts';
import { isSameJson } from './is-same-json.ts';
import { type ConversationState, initialState } from './state.ts';

/** Folds events into the state that they lead to (invariant I6). */
export function fold(initial: ConversationState, events: readonly TransactionEvent[]): ConversationState {
  return events.reduce(evolve, initial);
}

/** One decision of a recorded stream: its input, and the events that it led to, the input's own first. */
export type RecordedStep = { readonly input: TransactionInput; readonly events: readonly TransactionEvent[] };

/** A decision with the states around it, and where its events stand in the stream. */
export type ReplayedStep = RecordedStep & {
  readonly before: ConversationState;
  readonly after: ConversationState;
  /** Version of its first event in the stream, from 1. */
  readonly version: number;
};

/** Cuts a stream into the decisions that made it. The recorded reading of each turn is part of the input, so nothing is read again. */
export function recordedSteps(events: readonly TransactionEvent[]): readonly RecordedStep[] {
  const starts = events.flatMap((event, index) => ('input' in event ? [{ input: event.input, index }] : []));
  return starts.map(({ input, index }, position) => ({
    input,
    events: events.slice(index, starts[position + 1]?.index),
  }));
}

/** Walks through a recorded stream from its first event, decision by decision. Nothing is decided: the states are the folds of what was recorded. */
export function* replaySteps(
  initial: ConversationState,
  events: readonly TransactionEvent[],
): Generator<ReplayedStep, void, undefined> {
  let state = initial;
  let version = 1;
  for (const { input, events: recorded } of recordedSteps(events)) {
    const before = metBy(state, recorded);
    state = fold(before, recorded);
    yield { input, events: recorded, before, after: state, version };
    version += recorded.length;
  }
}

/**
 * The state that a whole stream, from its first event, leads to: what the store must hold beside it. Other than a plain fold it knows of snapshots that
 * could not be read when they were needed.
 */
export function rebuildState(initial: ConversationState, events: readonly TransactionEvent[]): ConversationState {
  let state = initial;
  for (const step of replaySteps(initial, events)) state = step.after;
  return state;
}

/** A snapshot that could not be read was met as an empty conversation that says so (`restoreState`); the facts before it do not tell. */
function metBy(state: ConversationState, events: readonly TransactionEvent[]): ConversationState {
  const [first] = events;
  if (first?.type !== 'TurnReceived' || first.status !== 'INCONSISTENT' || state.inconsistency !== null) return state;
  const found = events.find((event) => event.type === 'InconsistencyFound');
  return { ...initialState(state), inconsistency: found?.detail ?? 'not recorded' };
}

/** Where a stream and the decisions made again differ first. */
export type Divergence = {
  /** From 0. */
  readonly step: number;
  /** Version of the step's first event, from 1. */
  readonly version: number;
  /** `config_unknown`: the configuration of the decision is not there, so that it could not be made again. */
  readonly reason: 'differs' | 'config_unknown';
  readonly configDigest: string | null;
  readonly input: TransactionInput;
  readonly recorded: readonly TransactionEvent[];
  /** Empty where nothing was decided. */
  readonly decided: readonly TransactionEvent[];
};

/** The configuration of a digest; undefined when it is not known. */
export type AgentOf = (digest: string) => AgentConfig | undefined;

/**
 * Decides a recorded stream again, from the same inputs, readings and configurations: no network, no clock, no effect (invariant I21). One conversation may
 * have met several configurations: each decision is made with the one that made it.
 *
 * @returns null when every decision is byte-equal, else the first that differs.
 */
export function redecide(
  initial: ConversationState,
  events: readonly TransactionEvent[],
  agentOf: AgentOf,
): Divergence | null {
  for (const divergence of divergences(initial, events, agentOf)) return divergence;
  return null;
}

/** Every decision of a recorded stream that comes out otherwise. Each starts from what was recorded before it. */
export function* divergences(
  initial: ConversationState,
  events: readonly TransactionEvent[],
  agentOf: AgentOf,
): Generator<Divergence, void, undefined> {
  let index = 0;
  let last: string | null = null;
  for (const step of replaySteps(initial, events)) {
    const configDigest: string | null = configDigestOf(step) ?? last;
    const agent = configDigest === null ? withoutTools(initial.agentId) : agentOf(configDigest);
    const decided = agent === undefined ? [] : decide(step.before, step.input, agent);
    if (!isSameJson(decided, step.events)) {
      const { input, events: recorded, version } = step;
      const reason = agent === undefined ? 'config_unknown' : 'differs';
      yield { step: index, version, reason, configDigest, input, recorded, decided };
    }
    index += 1;
    last = configDigest;
  }
}

/**
 * The digest of the configuration that made a decision: the one that its events name, else the one that the transaction it is about is pinned to. Null when
 * neither is there: such a decision, as that about a result which nobody awaits, depends on no configuration.
 */
export function configDigestOf({ before, input, events }: ReplayedStep): string | null {
  for (const event of events) {
    if ('configDigest' in event) return event.configDigest;
    if (event.type === 'ConfirmationRequested') return event.proposal.configDigest;
  }
  return pinnedBy(before, input);
}

function pinnedBy({ transaction, parked, unresolved }: ConversationState, input: TransactionInput): string | null {
  const all = [...(transaction === null ? [] : [transaction]), ...parked, ...unresolved];
  const id = input.type === 'ToolResultArrived' ? input.result.transaction_id : idOf(input);
  const about = all.find((one) => one.id === id) ?? transaction;
  return about?.configDigest ?? null;
}

function idOf(input: TransactionInput): string | null {
  return input.type === 'DeadlinePassed' ? input.transactionId : null;
}

/** The configuration of a decision that depends on none; were one needed after all, the decision would come out otherwise. */
function withoutTools(agentId: string): AgentConfig {
  return {
    agentId,
    name: agentId,
    locale: 'en',
    timeZone: 'UTC',
    tenants: [],
    channels: [],
    intents: [],
    tools: {},
    domainWords: [],
    maxClarifications: 0,
    confirmationTtlSeconds: 0,
    collectionTtlSeconds: 0,
    maxParked: 0,
    digest: '',
  };
}
