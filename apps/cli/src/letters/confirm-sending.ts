import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Where an operator is asked. */
export type Terminal = {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
};

const ours: Terminal = { input: process.stdin, output: process.stderr };

/**
 * More than one message is sent only by who says so. Whatever is not a yes is a no: also the end of the input, and Ctrl-C.
 *
 * @throws Error when there is nobody to be asked.
 */
export async function confirmSending(
  count: number,
  { yes, json }: { readonly yes?: boolean; readonly json?: boolean },
  { input, output }: Terminal = ours,
): Promise<boolean> {
  if (count < 2 || yes === true) return true;
  if (json === true || input.isTTY !== true)
    throw new Error(`${count} messages would be sent: --yes sends them, --dry-run shows which`);
  const terminal = createInterface({ input, output });
  const closed = once(terminal, 'close').then(() => '');
  const answer = terminal.question(`Send ${count} messages again? Type yes: `).catch(() => '');
  const said = await Promise.race([answer, closed]);
  terminal.close();
  return said.trim().toLowerCase() === 'yes';
}
