import { type StoredStream, type StreamProjection } from '@latch/event-store';
import { factsOf, identityOf, livePartOf, type PinnedConfigs } from '@latch/replay';
import { configDigestOf, initialState, react, type ReplayedStep, replaySteps } from '@latch/transaction';
import { ConversationRecorder } from '../histories/conversation-recorder.ts';
import { ProvenCalls } from './proven-calls.ts';
import { rebuiltWork } from './rebuilt-work.ts';

/**
 * What the projections must hold of a stream, from its events alone: the recorded decisions are reacted to once more, and what would be published is thrown away.
 * Null for a conversation whose personal data was erased, and for one whose configuration is not stored any more.
 */
export async function projectStream(stream: StoredStream, configs: PinnedConfigs): Promise<StreamProjection | null> {
  if (livePartOf(stream.events).isErased) return null;
  await configs.load(stream);
  const identity = identityOf(stream);
  const recorder = new ConversationRecorder(identity);
  const proven = new ProvenCalls();
  let last: string | null = null;
  for (const step of replaySteps(initialState(identity), factsOf(stream.events))) {
    last = configDigestOf(step) ?? last;
    if (last === null && isIgnored(step)) continue;
    const event = stream.events[step.version - 1];
    const agent = last === null ? undefined : configs.agentOf(last);
    if (event === undefined || agent === undefined) return null;
    const { before, after, input, events } = step;
    const reaction = react({ before, after, input, events, agent });
    recorder.add({ work: rebuiltWork(identity, input, event), agent, events, after, reaction }, input.at);
    proven.add(step, reaction.invocations);
  }
  if (last === null) return { transactions: [] };
  const { person, transactions, turns, invocations } = recorder.append();
  return { person, transactions, turns, invocations, ...proven.tellOf(invocations) };
}

/** What changed nothing before a configuration was there, such as a result that nobody awaits, has left no row. */
function isIgnored({ events }: ReplayedStep): boolean {
  return events.every(({ type }) => type === 'InputIgnored');
}
