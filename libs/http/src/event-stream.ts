import { type ServerResponse } from 'node:http';

/** What may be said of a frame beside its data. */
export type FrameOptions = {
  /** What a client sends back as `Last-Event-ID`. */
  readonly id?: string;
  /** How long the client waits before it connects again. */
  readonly retryMs?: number;
};

/** A stream of server-sent events over one response: opened with its first frame, heartbeats in between, closed with the last one. */
export class EventStream {
  private heartbeat: NodeJS.Timeout | undefined;

  /** @param heartbeatMs time between two comments, which keep proxies from closing a stream in which nothing happens. */
  constructor(
    private readonly response: ServerResponse,
    private readonly options: { readonly heartbeatMs: number } = { heartbeatMs: 15_000 },
  ) {}

  /** What was written and not taken by the client yet. */
  get unreadBytes(): number {
    return this.response.writableLength;
  }

  /** Writes one frame. An id with a line break would be frames of its own, so it is left out. */
  send(event: string, data: object, { id, retryMs }: FrameOptions = {}): void {
    if (this.response.destroyed || this.response.writableEnded) return;
    this.open();
    const name = id === undefined || /[\r\n\0]/.test(id) ? '' : `id: ${id}\n`;
    const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
    this.response.write(`event: ${event}\n${name}${retry}data: ${JSON.stringify(data)}\n\n`);
  }

  /** Ends the stream. */
  close(): void {
    clearInterval(this.heartbeat);
    if (!this.response.destroyed) this.response.end();
  }

  private open(): void {
    if (this.heartbeat) return;
    this.response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    this.heartbeat = setInterval(() => this.response.write(': still here\n\n'), this.options.heartbeatMs);
    this.response.on('close', () => clearInterval(this.heartbeat));
  }
}
