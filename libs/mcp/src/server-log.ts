import { mask } from '@latch/observability';

const maxLineLength = 1_000;
const maxTailLength = 2_000;
/** Lines per second that are handed on; the rest is counted. */
const maxLinesPerSecond = 20;

/**
 * What a server process writes to its standard error, as far as it may be shown: the values of its secrets and what looks like personal data are masked, lines
 * are cut, a flood is dropped. Only the end of it is kept.
 */
export class ServerLog {
  private rest = '';
  private shown = '';
  private second = 0;
  private lines = 0;

  constructor(
    private readonly secrets: readonly string[],
    private readonly onLine: (line: string) => void,
  ) {}

  /** Takes the next piece. */
  push(chunk: Buffer): void {
    const [last = '', ...before] = `${this.rest}${chunk.toString('utf8')}`.split('\n').reverse();
    this.rest = last.slice(0, maxLineLength);
    for (const line of before.reverse().slice(-maxLinesPerSecond)) this.show(line);
  }

  /** The last words, for the message of a crash. */
  get tail(): string {
    const unfinished = this.masked(this.rest);
    return `${this.shown}${unfinished}`.trim().slice(-maxTailLength);
  }

  private show(line: string): void {
    const text = this.masked(line.slice(0, maxLineLength)).trimEnd();
    if (text === '') return;
    this.shown = `${this.shown}${text}\n`.slice(-maxTailLength);
    const second = Math.floor(performance.now() / 1_000);
    this.lines = second === this.second ? this.lines + 1 : 1;
    this.second = second;
    if (this.lines <= maxLinesPerSecond) this.onLine(text);
  }

  private masked(text: string): string {
    return mask(this.secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text));
  }
}
