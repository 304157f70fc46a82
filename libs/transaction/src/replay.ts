import { type AgentConfig, canonicalJson } from '@latch/contracts';
import { decide } from './decide.ts';
import { type TransactionEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { type TransactionInput } from './inputs.ts';
import { type ConversationState } from './state.ts';

/** Folds events into the state that they lead to (invariant I6). */
export function fold(initial: ConversationState, events: readonly TransactionEvent[]): ConversationState {
  return events.reduce(evolve, initial);
}

/** One decision of a recorded stream: its input, and the events that it led to, the input's own first. */
export type RecordedStep = { readonly input: TransactionInput; readonly events: readonly TransactionEvent[] };

/** Cuts a stream into the decisions that made it. The recorded reading of each turn is part of the input, so nothing is read again. */
export function recordedSteps(events: readonly TransactionEvent[]): readonly RecordedStep[] {
  const starts = events.flatMap((event, index) => ('input' in event ? [{ input: event.input, index }] : []));
  return starts.map(({ input, index }, position) => ({
    input,
    events: events.slice(index, starts[position + 1]?.index),
  }));
}

/** Where a stream and the decisions made again differ first. */
export type Divergence = {
  readonly step: number;
  readonly input: TransactionInput;
  readonly recorded: readonly TransactionEvent[];
  readonly decided: readonly TransactionEvent[];
};

/**
 * Decides a recorded stream again, from the same inputs and readings: no network, no clock, no effect (invariant I21).
 *
 * @returns null when every decision is byte-equal, else the first that differs.
 */
export function redecide(
  initial: ConversationState,
  events: readonly TransactionEvent[],
  agent: AgentConfig,
): Divergence | null {
  let state = initial;
  for (const [step, { input, events: recorded }] of recordedSteps(events).entries()) {
    const decided = decide(state, input, agent);
    if (canonicalJson(decided) !== canonicalJson(recorded)) return { step, input, recorded, decided };
    state = fold(state, recorded);
  }
  return null;
}
