import { createInterface, type Interface } from 'node:readline/promises';
import { type ChannelResponse, type GatewayRequest } from '@latch/contracts';
import pc from 'picocolors';
import { type CliSettings } from '../config.ts';
import { IngressClient } from '../conversation/ingress-client.ts';
import { eventLine } from '../conversation/event-line.ts';
import { Talk } from '../conversation/talk.ts';
import { ingressUrlOf } from '../system/describe-system.ts';
import { startOptionsFrom } from '../system/system-options.ts';
import { withSystem } from '../system/with-system.ts';
import { print, progress } from '../terminal.ts';

/** Options of `latch chat`. */
export type ChatOptions = { readonly agent: string; readonly session?: string };

const help = '/yes and /no press the buttons of a confirmation; /events, /state, /new, /quit';

/** `latch chat`: a conversation by hand. It starts what is not running, and stops what it started at the end. */
export async function chat(settings: CliSettings, options: ChatOptions): Promise<void> {
  await withSystem(startOptionsFrom(settings, progress), async (state) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout, terminal: process.stdin.isTTY });
    const ingress = new IngressClient(ingressUrlOf(state) ?? '');
    print(pc.dim(`agent ${options.agent}; ${help}`));
    await new Chat(ingress, options).run(terminal);
  });
}

type Inputs = GatewayRequest['payload']['inputs'];

/** The terminal's side of one conversation. */
class Chat {
  private talk: Talk;
  private lastAnswer: ChannelResponse | undefined;

  constructor(
    private readonly ingress: IngressClient,
    private readonly options: ChatOptions,
  ) {
    this.talk = new Talk(ingress, { agentId: options.agent, sessionId: options.session });
  }

  /** Reads lines until `/quit`, Ctrl-D, or the end of a piped input. */
  async run(terminal: Interface): Promise<void> {
    terminal.setPrompt(pc.cyan('you> '));
    terminal.prompt();
    for await (const line of terminal) {
      if (line.trim() === '/quit') break;
      await this.handle(line.trim());
      terminal.prompt();
    }
    terminal.close();
  }

  private async handle(line: string): Promise<void> {
    switch (line) {
      case '':
        return;
      case '/new':
        this.talk = new Talk(this.ingress, { agentId: this.options.agent });
        this.lastAnswer = undefined;
        return print(pc.dim(`new conversation ${this.talk.conversationKey}`));
      case '/events':
        return (await this.ingress.events(this.talk.conversationKey)).map(eventLine).forEach(print);
      case '/state':
        return print(JSON.stringify((await this.ingress.state(this.talk.conversationKey)) ?? null, undefined, 2));
      case '/yes':
      case '/no':
        return this.pressButton(line === '/yes' ? 'yes' : 'no');
      default:
        return line.startsWith('/') ? print(pc.dim(help)) : this.say(line);
    }
  }

  private async pressButton(confirmation: 'yes' | 'no'): Promise<void> {
    const proposalId = this.lastAnswer?.metadata.proposal_id;
    if (!proposalId) return print(pc.dim('nothing waits for a yes or a no'));
    await this.say('', { confirmation, proposal_id: proposalId });
  }

  private async say(text: string, inputs?: Inputs): Promise<void> {
    const outcome = await this.talk.say(text, inputs).catch((error: unknown) => String(error));
    if (typeof outcome === 'string') return print(pc.red(outcome));
    if (!outcome.ok) return print(pc.red(outcome.body));
    this.lastAnswer = outcome.response;
    print(`${pc.green('latch>')} ${outcome.response.text}`);
    print(pc.dim(stateLine(outcome.response)));
  }
}

function stateLine({ metadata }: ChannelResponse): string {
  const {
    transaction_status: status,
    intent,
    missing_parameters: missing = [],
    outcome,
    proposal_id: proposal,
  } = metadata;
  return [
    `[${status ?? 'IDLE'}]`,
    intent ?? undefined,
    missing.length > 0 ? `missing: ${missing.join(', ')}` : undefined,
    outcome ? `outcome: ${outcome}` : undefined,
    proposal ? 'buttons: /yes /no' : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}
