import { Talk } from '@latch/cli';
import { type ChannelResponse, type EventEnvelope } from '@latch/contracts';
import { type RefereeSystem } from './referee-system.ts';

/** What the user was told, and what became of it after. */
export type Told = {
  readonly talk: Talk;
  readonly transactionId: string;
  readonly response: ChannelResponse;
};

/** A conversation that proposes a call of a tool, up to the question. */
export async function propose(
  system: RefereeSystem,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<{ readonly talk: Talk; readonly proposal: ChannelResponse }> {
  const talk = new Talk(system.ingress, { agentId: 'arbitrado' });
  const proposal = await talk.ask('', { intent: tool, arguments: { ...args } });
  return { talk, proposal };
}

/** The yes to a proposal, and what was told. */
export async function confirm({ talk, proposal }: Awaited<ReturnType<typeof propose>>): Promise<Told> {
  const response = await talk.ask('', { confirmation: 'yes', proposal_id: proposal.metadata.proposal_id ?? undefined });
  return { talk, response, transactionId: proposal.metadata.transaction_id ?? '' };
}

/** The events of one type in a conversation. */
export function eventsOf(events: readonly EventEnvelope[], type: string): readonly EventEnvelope[] {
  return events.filter(({ event_type }) => event_type === type);
}
