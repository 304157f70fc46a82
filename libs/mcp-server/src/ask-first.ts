import {
  type CallToolResult,
  type ElicitRequestFormParams,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { type Fault } from './faults.ts';

/** What the faults of elicitation ask for. */
export const question = {
  mode: 'form',
  message: 'Qual é o motivo do cancelamento?',
  requestedSchema: {
    type: 'object',
    properties: { motivo: { type: 'string', title: 'Motivo' } },
    required: ['motivo'],
  },
} as const satisfies ElicitRequestFormParams;

/** Puts a question to the client; rejects where the client cannot be asked. */
export type Ask = (params: ElicitRequestFormParams) => Promise<ElicitResult>;

/**
 * Asks before the tool runs, where the fault says so.
 *
 * @returns the answer that ends the call without an effect; null: the tool runs.
 */
export async function askFirst(fault: Fault | null, ask: Ask): Promise<CallToolResult | null> {
  if (fault?.kind !== 'elicitation' && fault?.kind !== 'elicitation_ignored') return null;
  const reply = await ask(question).catch((error: unknown) => ({ action: String(error) }));
  if (reply.action === 'accept' || fault.kind === 'elicitation_ignored') return null;
  const text = `A operação não foi feita: sem o motivo (${reply.action}).`;
  return { isError: true, content: [{ type: 'text', text }] };
}
