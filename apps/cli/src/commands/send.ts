import { StructuredInputs } from '@latch/contracts';
import { type CliSettings } from '../config.ts';
import { IngressClient } from '../conversation/ingress-client.ts';
import { Talk } from '../conversation/talk.ts';
import { ingressUrlOf } from '../system/describe-system.ts';
import { findRunningSystem } from '../system/running-file.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
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

/** `latch send <text>`: one message to the running system, for scripts. Fails when it is refused. */
export async function send(settings: CliSettings, text: string, options: SendOptions): Promise<void> {
  const url = options.url ?? runningIngress(settings);
  const talk = new Talk(new IngressClient(url), { agentId: options.agent, sessionId: options.session });
  const inputs = options.inputs === undefined ? undefined : StructuredInputs.parse(JSON.parse(options.inputs));
  const outcome = await talk.say(text, inputs);
  if (!outcome.ok) process.exitCode = 1;
  if (options.json || !outcome.ok) return print(outcome.body);
  print(outcome.response.text);
  progress(`${outcome.response.metadata.transaction_status ?? ''} --session ${talk.sessionId}`.trim());
}

function runningIngress(settings: CliSettings): string {
  const { stateFolder } = systemOptionsFrom(settings, progress);
  const running = findRunningSystem(stateFolder);
  const url = running && ingressUrlOf(running);
  if (url === undefined)
    throw new Error('Nothing runs here. Start it with `npm start` in another terminal, or name an ingress with --url.');
  return url;
}
