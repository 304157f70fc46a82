import {
  type AgentConfig,
  bodyDigestOf,
  conversationKeyOf,
  deterministicId,
  digest,
  GatewayRequest,
  InvocationId,
  type StructuredInputs,
  type ToolInvocation,
  ToolResult,
  type TransactionId,
  turnIdOf,
} from '@latch/contracts';
import { type ConversationAppend, type StoredStream } from '@latch/event-store';
import {
  agentFor,
  type AgentConfigs,
  type DecidedTurn,
  runTurn,
  type ToolResultWork,
  type TurnWork,
  type Work,
  workOfDeadline,
} from '@latch/orchestrator/engine';
import { type ConversationIdentity, type ConversationState, initialState, restoreState } from '@latch/transaction';
import { ConversationRecorder } from './conversation-recorder.ts';

/** What a domain server answers to a call; null: it does not answer by itself. */
export type DomainAnswers = (call: ToolInvocation) => Partial<ToolResult> | null;

/** What comes with a message. */
export type Said = Partial<GatewayRequest['payload']> & { readonly channel?: string };

/** Who talks with which agent, from when on, and who answers its calls. */
export type PlayOptions = {
  readonly agent: AgentConfig;
  readonly sessionId: string;
  readonly domain: DomainAnswers;
  readonly tenantId?: string;
  /** @default '2026-11-30T12:00:00.000Z' */
  readonly beginsAt?: string;
};

/**
 * A conversation that the real engine leads, from the sentence to the answer, without bus and database: what recorded histories and benchmarks are made with.
 * The same play gives the same bytes.
 */
export class PlayedConversation {
  state: ConversationState;
  /** The calls that were approved, in order. */
  readonly calls: ToolInvocation[] = [];
  private readonly identity: ConversationIdentity;
  private readonly recorder: ConversationRecorder;
  private readonly known = new Map<string, AgentConfig>();
  private agent: AgentConfig;
  private nowMs: number;
  private messages = 0;
  private results = 0;

  constructor(private readonly options: PlayOptions) {
    const { agent, sessionId, tenantId = 'default', beginsAt = '2026-11-30T12:00:00.000Z' } = options;
    const key = { tenant_id: tenantId, agent_id: agent.agentId, session_id: sessionId };
    this.identity = { tenantId, agentId: agent.agentId, sessionId, conversationKey: conversationKeyOf(key) };
    this.state = initialState(this.identity);
    this.recorder = new ConversationRecorder(this.identity);
    this.agent = agent;
    this.nowMs = Date.parse(beginsAt);
    this.goesOnWith(agent);
  }

  /** The user says something; the calls that follow are answered by the domain. */
  says(message: string, said: Said = {}): this {
    this.nowMs += 1_000;
    this.messages += 1;
    return this.work(this.turn(message, { message_id: `m-${this.messages}`, ...said }));
  }

  /** A button or a form says something. */
  sends(inputs: StructuredInputs, said: Said = {}): this {
    return this.says('', { ...said, inputs });
  }

  /** The answer to the last call, or to an earlier one, arrives. */
  answers(told: Partial<ToolResult>, call: ToolInvocation | undefined = this.calls.at(-1)): this {
    if (call === undefined) throw new Error(`${this.identity.conversationKey}: no call was made`);
    this.nowMs += 1_000;
    return this.work(this.resultOf(call, told));
  }

  /** Time passes; what is due then is woken. */
  waits(seconds: number): this {
    this.nowMs += seconds * 1_000;
    const due = this.recorder.deadline();
    if (due === null || Date.parse(due.at) > this.nowMs) return this;
    return this.work(workOfDeadline({ ...this.identity, ...due }));
  }

  /** Time passes, and nobody comes by to wake what is due. */
  passes(seconds: number): this {
    this.nowMs += seconds * 1_000;
    return this;
  }

  /** The installation gets another configuration. */
  goesOnWith(agent: AgentConfig): this {
    this.agent = agent;
    this.known.set(agent.digest, agent);
    return this;
  }

  /** The stored snapshot is damaged. */
  losesItsState(): this {
    const damaged = { ...JSON.parse(JSON.stringify(this.state)), transaction: { status: 'COLLECTING_PARAMETERS' } };
    this.state = restoreState(this.identity, damaged);
    return this;
  }

  /** The conversation as the store would hold it. */
  stream(): StoredStream {
    return this.recorder.stream();
  }

  /** The conversation as one append to a store. */
  append(): ConversationAppend {
    return this.recorder.append();
  }

  /** The configurations that were in use. */
  configurations(): readonly AgentConfig[] {
    return [...this.known.values()];
  }

  /** What was said and answered, in order. */
  chat(): readonly string[] {
    return this.recorder.chat();
  }

  private work(work: Work): this {
    const at = new Date(this.nowMs).toISOString();
    const configs = this.configs();
    const agent = agentFor(work, this.state, configs);
    const pinned = (pinnedDigest: string): AgentConfig => configs.get(agent.agentId, pinnedDigest);
    this.take(runTurn({ work, before: this.state, agent, at, pinned }), at);
    return this;
  }

  private take(decided: DecidedTurn, at: string): void {
    this.state = decided.after;
    this.recorder.add(decided, at);
    for (const call of decided.reaction.invocations) {
      this.calls.push(call);
      const told = this.options.domain(call);
      if (told !== null) this.work(this.resultOf(call, told));
    }
  }

  private configs(): AgentConfigs {
    return {
      load: () => Promise.resolve(),
      get: (_agentId, pinned) => {
        const agent = pinned === null ? this.agent : this.known.get(pinned);
        if (agent === undefined) throw new Error(`The configuration ${pinned} was never in use`);
        return agent;
      },
    };
  }

  private turn(message: string, { channel = 'web', ...payload }: Said): TurnWork {
    const { tenantId, agentId, sessionId, conversationKey } = this.identity;
    const request = GatewayRequest.parse({
      channel,
      tenant_id: tenantId,
      agent_id: agentId,
      payload: { session_id: sessionId, user_id: 'ana', ...payload, message },
    });
    const { message_id: messageId, user_id: userId = 'anonymous' } = request.payload;
    const turnId = turnIdOf({ conversationKey, channel, userId, messageId });
    const traceId = traceOf(conversationKey, turnId);
    const bodyDigest = bodyDigestOf(request);
    return { kind: 'turn', identity: this.identity, eventId: turnId, bodyDigest, traceId, turnId, request };
  }

  private resultOf(call: ToolInvocation, told: Partial<ToolResult>): ToolResultWork {
    const { conversationKey } = this.identity;
    this.results += 1;
    const invocationId = InvocationId.parse(call.invocation_id);
    const result = ToolResult.parse({
      tool_name: call.tool_name,
      ok: true,
      data: {},
      latency_ms: 12,
      invocation_id: invocationId,
      transaction_id: call.transaction_id,
      purpose: call.purpose,
      ...told,
    });
    const eventId = deterministicId('history-result', conversationKey, this.results);
    const traceId = traceOf(conversationKey, invocationId);
    return {
      ...{ kind: 'tool_result', identity: this.identity, eventId, bodyDigest: digest(result), traceId },
      invocationId,
      result,
    };
  }

  /** The transaction that is open, or the last one. */
  transactionId(): TransactionId | undefined {
    return this.state.transaction?.id ?? this.state.last?.id;
  }
}

function traceOf(conversationKey: string, cause: string): string {
  return deterministicId('history-trace', conversationKey, cause).replaceAll('-', '');
}
