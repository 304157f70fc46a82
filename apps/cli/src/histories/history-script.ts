import { type AgentConfig, type ToolInvocation, type ToolResult } from '@latch/contracts';
import { type DomainAnswers, PlayedConversation } from './played-conversation.ts';

/** A conversation that every release records, and what it is there for. */
export type HistoryScript = {
  /** Name of its file. */
  readonly name: string;
  readonly title: string;
  /** What it shows: end states, and the particular things of a conversation. */
  readonly covers: readonly string[];
  play(agentOf: (agentId: string) => AgentConfig): PlayedConversation;
};

/** One script: the agent that it talks with, who answers its calls, and what is said. */
export type Script = Omit<HistoryScript, 'play'> & {
  readonly agent: string;
  readonly domain?: DomainAnswers;
  readonly says: (talk: PlayedConversation) => unknown;
};

/** The script as it is played. */
export function scripted({ agent, domain = agreeing, says, ...what }: Script): HistoryScript {
  return {
    ...what,
    play: (agentOf) => {
      const talk = new PlayedConversation({ agent: agentOf(agent), sessionId: `history-${what.name}`, domain });
      says(talk);
      return talk;
    },
  };
}

/** Every validator agrees; every tool succeeds, with each of its items. */
export const agreeing: DomainAnswers = (call) =>
  call.purpose === 'pre_validation'
    ? validated(call)
    : { outcome: 'SUCCESS', data: { status: 'OK' }, ...told(call, []) };

/** Every validator agrees; what runs is not answered by itself. */
export const silent: DomainAnswers = (call) => (call.purpose === 'pre_validation' ? validated(call) : null);

/** The validator names the items that the user listed, as the sample servers do. */
function validated({ arguments: args }: ToolInvocation): Partial<ToolResult> {
  const subject = args['subject'];
  const names = typeof subject === 'string' ? subject.split(/,| e /).map((name) => name.trim()) : [];
  if (names.length < 2) return { data: { eligible: true } };
  const resolved_arguments = { items: names.map((name) => ({ name })) };
  return { data: { eligible: true, transaction_decision: { resolved_arguments } } };
}

/** What a tool says of each item of a call; those of `failed` did not succeed and may be tried again. */
export function told({ items = [] }: ToolInvocation, failed: readonly string[]): Partial<ToolResult> {
  if (items.length === 0) return {};
  const results = items.map(({ id, label = id }) => {
    const isDone = !failed.includes(id);
    const outcome = isDone ? ('succeeded' as const) : ('failed' as const);
    return { id, label, outcome, is_retryable: !isDone, ...(isDone ? { protocol: `P-${id}` } : { reason: 'busy' }) };
  });
  const isPartial = results.some(({ outcome }) => outcome === 'failed');
  return { items: results, outcome: isPartial ? 'PARTIAL_SUCCESS' : 'SUCCESS', partial_success: isPartial };
}
