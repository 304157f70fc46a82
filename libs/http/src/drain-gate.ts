import { type NextFunction, type Request, type Response } from 'express';
import { type Refusal } from './refusal.ts';
import { sendRefusal } from './send.ts';

const draining: Refusal = { status: 503, code: 'service.draining', retryAfterSeconds: 1 };

/** Lets requests in until the service stops, and knows how many run. Health, metrics and readiness are answered to the end. */
export class DrainGate {
  private closed = false;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** Whether the service is stopping. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** From now on new API requests are refused, and every answer tells its connection to close. */
  close(): void {
    this.closed = true;
  }

  /** Resolves when no request runs. */
  whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.running === 0) return resolve();
      this.waiting.push(resolve);
    });
  }

  /** The gate as an Express handler. */
  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    this.running += 1;
    response.on('close', () => this.leave());
    if (!this.closed) return next();
    response.set('connection', 'close');
    if (!request.path.startsWith('/v1/')) return next();
    request.resume();
    sendRefusal({ request, response }, draining);
  };

  private leave(): void {
    this.running -= 1;
    if (this.running === 0) for (const resolve of this.waiting.splice(0)) resolve();
  }
}
