import { StructuredInputs } from '@latch/contracts';
import { type CliSettings } from '../config.ts';
import { IngressClient, refusal } from '../conversation/ingress-client.ts';
import { Talk } from '../conversation/talk.ts';
import { sayCouldNotRun } from '../run-command.ts';
import { runningIngressUrl } from '../system/running-ingress-url.ts';
import { print, progress } from '../terminal.ts';

/** Options of `latch send`. */
export type SendOptions = {
  readonly agent: string;
  readonly session?: string;
  readonly url?: string;
  /** `payload.inputs` as JSON text. */
  readonly inputs?: string;
  readonly json?: boolean;
};

/** `latch send <text>`: one message to the running system, for scripts. Ends with 1 when it is refused, with 2 when ingress does not let this command in. */
export async function send(settings: CliSettings, text: string, options: SendOptions): Promise<void> {
  const url = options.url ?? runningIngressUrl(settings);
  const talk = new Talk(new IngressClient(url), { agentId: options.agent, sessionId: options.session });
  const inputs = options.inputs === undefined ? undefined : StructuredInputs.parse(JSON.parse(options.inputs));
  const outcome = await talk.say(text, inputs);
  if (!outcome.ok && [401, 403].includes(outcome.status))
    return sayCouldNotRun(refusal(outcome.status, outcome.body), options);
  if (!outcome.ok) process.exitCode = 1;
  if (options.json || !outcome.ok) return print(outcome.body);
  print(outcome.response.text);
  progress(`${outcome.response.metadata.transaction_status ?? ''} --session ${talk.sessionId}`.trim());
}
