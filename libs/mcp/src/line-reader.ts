/** What ended the reading of lines. */
export type LineEnd = 'too_large' | 'stalled';

/**
 * Cuts a stream of bytes into lines, within bounds: a line of more than `maxBytes`, or one that began and does not go on for `idleTimeoutMs`, ends the reading.
 * Memory is at most one line.
 */
export class LineReader {
  private chunks: Buffer[] = [];
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(
    private readonly of: {
      readonly maxBytes: number;
      readonly idleTimeoutMs: number;
      onLine(line: string): void;
      onEnd(why: LineEnd): void;
    },
  ) {}

  /** Takes the next piece. */
  push(chunk: Buffer): void {
    clearTimeout(this.timer);
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0 && !this.isOver; end = rest.indexOf(10)) {
      this.add(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      if (!this.isOver) this.finishLine();
    }
    this.add(rest);
    if (this.bytes > 0 && !this.isOver) this.timer = setTimeout(() => this.end('stalled'), this.of.idleTimeoutMs);
  }

  /** Forgets what came and reads no more. */
  close(): void {
    this.isOver = true;
    this.chunks = [];
    clearTimeout(this.timer);
  }

  private add(piece: Buffer): void {
    if (this.isOver || piece.length === 0) return;
    this.bytes += piece.length;
    if (this.bytes > this.of.maxBytes) this.end('too_large');
    else this.chunks.push(piece);
  }

  private finishLine(): void {
    const line = Buffer.concat(this.chunks).toString('utf8');
    this.chunks = [];
    this.bytes = 0;
    this.of.onLine(line);
  }

  private end(why: LineEnd): void {
    this.close();
    this.of.onEnd(why);
  }
}
