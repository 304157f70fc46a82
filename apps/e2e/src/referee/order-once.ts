import { Talk } from '@latch/cli';
import { ChannelResponse, type GatewayRequest } from '@latch/contracts';
import { sendUntilAnswered } from '../send-until-answered.ts';
import { type RefereeSystem } from './referee-system.ts';

/** One thing that a user orders, and what the referee does with the attempts at it. */
export type Order = { readonly order: string; readonly tool: string; readonly steps: readonly string[] };

/** An order, its transaction, and the outcome that the user was told at once. */
export type Ordered = Order & { readonly transactionId: string; readonly told: string | null };

/** Orders and says yes, as a patient user does: services may be killed meanwhile. @throws Error when it is not proposed, or not answered within a minute. */
export async function orderOnce(system: RefereeSystem, wanted: Order): Promise<Ordered> {
  await system.plan(wanted.order, wanted.steps);
  const talk = new Talk(system.ingress, { agentId: 'arbitrado' });
  const answerTo = async (inputs: GatewayRequest['payload']['inputs']): Promise<ChannelResponse['metadata']> =>
    ChannelResponse.parse(JSON.parse(await sendUntilAnswered(system.ingress, talk.requestFor('', inputs)))).metadata;
  const proposed = await answerTo({ intent: wanted.tool, arguments: { order: wanted.order } });
  if (proposed.proposal_id === null || proposed.proposal_id === undefined)
    throw new Error(`${wanted.order} is not proposed: ${JSON.stringify(proposed)}`);
  const told = await answerTo({ confirmation: 'yes', proposal_id: proposed.proposal_id });
  return { ...wanted, transactionId: proposed.transaction_id ?? '', told: told.outcome ?? null };
}
