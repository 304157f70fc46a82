import { type ServerResponse } from 'node:http';

/** Comments keep proxies from closing a stream in which nothing happens yet. */
const heartbeatMs = 15_000;

/** A stream of server-sent events over one response: opened with its first frame, heartbeats in between, closed with the last one. */
export class EventStream {
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(private readonly response: ServerResponse) {}

  /** Writes one frame. `retryMs` tells the client how long to wait before it connects again. */
  send(event: string, data: object, { retryMs }: { readonly retryMs?: number } = {}): void {
    if (this.response.destroyed || this.response.writableEnded) return;
    this.open();
    const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
    this.response.write(`event: ${event}\n${retry}data: ${JSON.stringify(data)}\n\n`);
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
    this.heartbeat = setInterval(() => this.response.write(': still here\n\n'), heartbeatMs);
    this.response.on('close', () => clearInterval(this.heartbeat));
  }
}
