import { type CliSettings } from '../config.ts';
import { IngressClient, refusal } from '../conversation/ingress-client.ts';
import { explanationLines } from '../explain/explanation-lines.ts';
import { sayCouldNotRun } from '../run-command.ts';
import { runningIngressUrl } from '../system/running-ingress-url.ts';
import { print, printLines } from '../terminal.ts';

/** Options of `latch explain`. */
export type ExplainOptions = {
  readonly conversation: string;
  /** The message to explain; the last one of the conversation when left out. */
  readonly message?: string;
  readonly url?: string;
  readonly json?: boolean;
};

/** `latch explain`: why a turn went as it did. Ends with 1 when there is no such conversation or message, with 2 when nobody could say. */
export async function explain(settings: CliSettings, options: ExplainOptions): Promise<void> {
  const ingress = new IngressClient(options.url ?? runningIngressUrl(settings));
  const messageId = options.message ?? (await ingress.state(options.conversation))?.message_id;
  if (messageId === undefined) return refuse(`Nothing was said in ${options.conversation}.`, options);
  const outcome = await ingress.explanation(options.conversation, messageId);
  if (!outcome.ok && outcome.status !== 404) return sayCouldNotRun(refusal(outcome.status, outcome.body), options);
  if (!outcome.ok) return refuse(outcome.problem?.detail ?? refusal(outcome.status, outcome.body), options);
  if (options.json) return print(outcome.body);
  printLines(explanationLines(outcome.explanation));
}

function refuse(reason: string, { json }: ExplainOptions): void {
  print(json ? JSON.stringify({ outcome: 'unknown', reason }) : reason);
  process.exitCode = 1;
}
