import {
  type AgentConfig,
  conversationKeyOf,
  digest,
  GatewayRequest,
  InvocationId,
  type StructuredInputs,
  type ToolInvocation,
  ToolResult,
  turnIdOf,
} from '@latch/contracts';
import { composeReply } from '@latch/presentation';
import {
  type ConversationState,
  initialState,
  type ReplyFacts,
  type ReplySlot,
  restoreState,
  toAgentState,
  type TransactionEvent,
} from '@latch/transaction';
import { type DecidedTurn, runTurn } from './run-turn.ts';
import { type ToolResultWork, type TurnWork, type Work } from './work.ts';

/** What a domain server answers to a call; null: it does not answer (yet). */
export type Backend = (invocation: ToolInvocation) => Partial<ToolResult> | null;

/** What came back for a turn: the words, and the facts beside them. */
export type Answer = { readonly text: string; readonly slots: readonly ReplySlot[]; readonly facts: ReplyFacts };

/** What a message is made of. */
export type Said = Partial<GatewayRequest['payload']> & { readonly channel?: string };

/** Every validator agrees, every tool succeeds. */
export const agreeable: Backend = ({ purpose }) =>
  purpose === 'pre_validation' ? { data: { eligible: true } } : { outcome: 'SUCCESS', data: { status: 'OK' } };

/**
 * A conversation of a person with an agent, from the sentence to the answer: the language reader and the engine together, as the orchestrator's shell runs them,
 * without a database. Calls are answered at once by the backend.
 */
export class SpokenConversation {
  state: ConversationState;
  readonly events: TransactionEvent[] = [];
  /** The calls that were made, in order. */
  readonly calls: ToolInvocation[] = [];
  private readonly identity: TurnWork['identity'];
  private now = Date.parse('2026-11-30T12:00:00.000Z');
  private messages = 0;
  private answer: Answer | null = null;

  constructor(
    private readonly agent: AgentConfig,
    private readonly backend: Backend = agreeable,
  ) {
    const key = { tenant_id: 'default', agent_id: agent.agentId, session_id: 's-1' };
    const conversationKey = conversationKeyOf(key);
    this.identity = { tenantId: 'default', agentId: agent.agentId, sessionId: 's-1', conversationKey };
    this.state = initialState(this.identity);
  }

  /** The user says something; the calls that follow from it are made. Null while a call is still running. */
  says(message: string, said: Said = {}): Answer | null {
    this.answer = null;
    this.work(this.turn(message, said));
    return this.answer;
  }

  /** The last answer. */
  lastAnswer(): Answer | null {
    return this.answer;
  }

  /** A form or a button says something. */
  sends(inputs: StructuredInputs, said: Said = {}): Answer | null {
    return this.says('', { ...said, inputs });
  }

  /** A server that did not answer before answers now. */
  answers(invocation: ToolInvocation | undefined, told: Partial<ToolResult>): Answer | null {
    if (invocation === undefined) throw new Error('no such call was made');
    this.answer = null;
    this.work(this.resultOf(invocation, told));
    return this.answer;
  }

  /** The process dies and another one goes on with what is stored. */
  restarts(): void {
    this.state = restoreState(this.identity, JSON.parse(JSON.stringify(this.state)));
  }

  waits(seconds: number): void {
    this.now += seconds * 1000;
  }

  /** The published state. */
  view(): ReturnType<typeof toAgentState> {
    return toAgentState(this.state);
  }

  /** The calls with an effect, or a read that was asked for. */
  executions(): readonly Pick<ToolInvocation, 'tool_name' | 'arguments'>[] {
    const run = this.calls.filter(({ purpose }) => purpose === 'execution');
    return run.map(({ tool_name, arguments: args }) => ({ tool_name, arguments: args }));
  }

  /** How the last message was ranked. */
  lastRule(): string {
    const received = this.events.findLast((event) => event.type === 'TurnReceived');
    return received?.type === 'TurnReceived' ? received.rule : '';
  }

  private work(work: Work): void {
    const decided = runTurn({ work, before: this.state, agent: this.agent, at: new Date(this.now).toISOString() });
    this.take(decided);
    for (const invocation of decided.reaction.invocations) {
      this.calls.push(invocation);
      const told = this.backend(invocation);
      if (told !== null) this.work(this.resultOf(invocation, told));
    }
  }

  private take({ after, events, reaction }: DecidedTurn): void {
    this.state = after;
    this.events.push(...events);
    const reply = reaction.replies.at(-1);
    if (reply === undefined) return;
    const text = composeReply({ slots: reply.slots }, this.agent.locale);
    this.answer = { text, slots: reply.slots, facts: reply.facts };
  }

  private turn(message: string, { channel = 'web', ...payload }: Said): TurnWork {
    this.messages += 1;
    this.now += 1000;
    const request = GatewayRequest.parse({
      channel,
      tenant_id: this.identity.tenantId,
      agent_id: this.identity.agentId,
      payload: { session_id: 's-1', message_id: `m-${this.messages}`, user_id: 'ana', ...payload, message },
    });
    const { message_id: messageId, user_id: userId = 'ana' } = request.payload;
    const turnId = turnIdOf({ conversationKey: this.identity.conversationKey, channel, userId, messageId });
    return { kind: 'turn', identity: this.identity, eventId: turnId, bodyDigest: '', traceId: 't', turnId, request };
  }

  private resultOf(invocation: ToolInvocation, told: Partial<ToolResult>): ToolResultWork {
    const result = ToolResult.parse({ tool_name: invocation.tool_name, ok: true, data: {}, latency_ms: 1, ...told });
    return {
      kind: 'tool_result',
      identity: this.identity,
      eventId: `result-${this.calls.length}`,
      bodyDigest: digest(result),
      traceId: 't',
      invocationId: InvocationId.parse(invocation.invocation_id),
      result,
    };
  }
}

/** Kinds of the slots of an answer, in order. */
export function kindsOf(answer: Answer | null): readonly string[] {
  return (answer?.slots ?? []).map(({ kind }) => kind);
}
