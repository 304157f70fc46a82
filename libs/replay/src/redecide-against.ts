import { type AgentConfig } from '@latch/contracts';
import { type StoredStream } from '@latch/event-store';
import { understand } from '@latch/nlu';
import {
  type ConversationState,
  decide,
  expectationOf,
  initialState,
  type ReplayedStep,
  replaySteps,
  type TransactionEvent,
  type TransactionInput,
} from '@latch/transaction';
import { type AspectDifference, type DifferenceKind, differencesOf } from './step-aspects.ts';
import { factsOf, identityOf, livePartOf } from './stream-facts.ts';

/** A decision that would have come out otherwise. */
export type StepDifference = {
  /** Number of the user's message that the decision belongs to, from 1; 0 before the first. */
  readonly turn: number;
  /** Version of the decision's first event. */
  readonly version: number;
  readonly input: TransactionInput['type'];
  readonly messageId: string | null;
  readonly at: string;
  /** The weightiest kind; `aspects` holds all. */
  readonly kind: DifferenceKind;
  readonly aspects: readonly AspectDifference[];
};

/** What another configuration would have made of a conversation. */
export type AgainstVerdict =
  | { readonly kind: 'equal'; readonly steps: number }
  | { readonly kind: 'erased' }
  | { readonly kind: 'differs'; readonly steps: number; readonly differences: readonly StepDifference[] };

/**
 * Makes every decision of a stream again with another configuration, as if the conversation had been led with it from its first message. The words of the user
 * are read anew, because routing and parameters may differ; what tools answered is what was recorded.
 *
 * Each decision starts from the state that was recorded before it: a difference says what would have been otherwise at this point, and does not make
 * everything after it look different too. Pure: no socket, no clock, no effect.
 *
 * @param agent the configuration of the conversation's agent; undefined when the other configuration has none.
 */
export function redecideAgainst(stream: StoredStream, agent: AgentConfig | undefined): AgainstVerdict {
  if (livePartOf(stream.events).isErased) return { kind: 'erased' };
  const facts = factsOf(stream.events).map((fact) => pinnedTo(fact, agent?.digest ?? ''));
  const differences: StepDifference[] = [];
  let [turn, steps] = [0, 0];
  for (const step of replaySteps(initialState(identityOf(stream)), facts)) {
    if (step.events.some(({ type }) => type === 'TurnReceived')) turn += 1;
    steps += 1;
    const aspects = agent === undefined ? gone : differencesOf(step.events, decideAnew(step, agent));
    if (aspects[0] !== undefined) differences.push({ turn, ...placeOf(step), kind: aspects[0].kind, aspects });
    if (agent === undefined) break;
  }
  return differences.length === 0 ? { kind: 'equal', steps } : { kind: 'differs', steps, differences };
}

const gone: readonly AspectDifference[] = [{ kind: 'agent_gone', recorded: [], decided: [] }];

function decideAnew({ before, input, events }: ReplayedStep, agent: AgentConfig): readonly TransactionEvent[] {
  const isRead = input.type === 'UserSpoke' && events[0]?.type !== 'InputIgnored';
  return decide(before, isRead ? readAnew(before, input, agent) : input, agent);
}

function readAnew(
  before: ConversationState,
  input: Extract<TransactionInput, { readonly type: 'UserSpoke' }>,
  agent: AgentConfig,
): TransactionInput {
  const { text, at } = input;
  return { ...input, understanding: understand({ text, agent, expectation: expectationOf(before, agent), now: at }) };
}

function placeOf({ version, input }: ReplayedStep): Pick<StepDifference, 'version' | 'input' | 'messageId' | 'at'> {
  const messageId = input.type === 'UserSpoke' ? input.messageId : null;
  return { version, input: input.type, messageId, at: input.at };
}

/** The fact as it would stand there had the other configuration been the one in use: a proposal of another configuration would be asked again. */
function pinnedTo(fact: TransactionEvent, configDigest: string): TransactionEvent {
  if ('configDigest' in fact) return { ...fact, configDigest };
  return fact.type === 'ConfirmationRequested' ? { ...fact, proposal: { ...fact.proposal, configDigest } } : fact;
}
