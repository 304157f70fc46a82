import { type ChannelResponse, conversationKeyOf, type GatewayRequest } from '@latch/contracts';
import { v7 as uuidv7 } from 'uuid';
import { type IngressClient, type SendOutcome } from './ingress-client.ts';

/** Who talks to whom, and where. */
export type TalkOptions = {
  readonly agentId: string;
  readonly tenantId?: string;
  readonly channel?: string;
  readonly sessionId?: string;
  readonly businessContext?: GatewayRequest['payload']['business_context'];
};

/** One conversation of one user, in a channel: every message gets an id of its own. */
export class Talk {
  readonly sessionId: string;
  readonly conversationKey: string;
  private readonly tenantId: string;

  constructor(
    private readonly ingress: IngressClient,
    private readonly options: TalkOptions,
  ) {
    this.tenantId = options.tenantId ?? 'default';
    this.sessionId = options.sessionId ?? `session-${uuidv7()}`;
    this.conversationKey = conversationKeyOf({
      tenant_id: this.tenantId,
      agent_id: options.agentId,
      session_id: this.sessionId,
    });
  }

  /** Says something, with what a button or a form adds to it. */
  say(message: string, inputs?: GatewayRequest['payload']['inputs']): Promise<SendOutcome> {
    return this.ingress.send(this.requestFor(message, inputs));
  }

  /** The same, for callers that expect an answer. @throws Error when the message is refused. */
  async ask(message: string, inputs?: GatewayRequest['payload']['inputs']): Promise<ChannelResponse> {
    const outcome = await this.say(message, inputs);
    if (!outcome.ok) throw new Error(`HTTP ${outcome.status}: ${outcome.body}`);
    return outcome.response;
  }

  /** The request that `say` sends; a test sends it twice. */
  requestFor(message: string, inputs?: GatewayRequest['payload']['inputs']): GatewayRequest {
    return {
      channel: this.options.channel ?? 'web',
      tenant_id: this.tenantId,
      agent_id: this.options.agentId,
      payload: {
        message,
        session_id: this.sessionId,
        message_id: `message-${uuidv7()}`,
        user_id: 'user-1',
        ...(this.options.businessContext === undefined ? {} : { business_context: this.options.businessContext }),
        ...(inputs === undefined ? {} : { inputs }),
      },
    };
  }
}
