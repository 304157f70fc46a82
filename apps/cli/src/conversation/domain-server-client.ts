import { z } from 'zod';

const LoggedCall = z.looseObject({
  tool: z.string(),
  key: z.string().nullable(),
  arguments: z.unknown(),
  /** Things that this call changed. */
  effects: z.number().int().nonnegative(),
  outcome: z.string(),
  fault: z.string().nullable(),
});

const CallReport = z.looseObject({ calls: z.array(LoggedCall), totalEffects: z.number().int().nonnegative() });

/** One `tools/call` that reached a sample domain server. */
export type LoggedCall = z.infer<typeof LoggedCall>;

/** What a sample server saw since its last reset. */
export type CallReport = z.infer<typeof CallReport>;

/** What to make a sample server do wrong; the kinds stand in docs/reference and in its own `GET /faults`. */
export type FaultOrder = {
  readonly tool: string;
  readonly kind: string;
  readonly times?: number;
  readonly delayMs?: number;
};

/** The side door of a sample MCP server: its call log, its faults, its reset. */
export class DomainServerClient {
  constructor(private readonly baseUrl: string) {}

  async calls(): Promise<CallReport> {
    return CallReport.parse(await (await this.request('GET', '/calls')).json());
  }

  /** Data, call log and faults as after a fresh start. */
  async reset(): Promise<void> {
    await this.request('POST', '/reset');
    await this.request('DELETE', '/faults');
  }

  async orderFault(fault: FaultOrder): Promise<void> {
    await this.request('POST', '/faults', fault);
  }

  private async request(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(this.baseUrl + path, {
      method,
      // A connection that is kept open may just be closed by the other side when it is used again.
      headers: { connection: 'close', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok)
      throw new Error(`${method} ${this.baseUrl}${path}: HTTP ${response.status} ${await response.text()}`);
    return response;
  }
}
