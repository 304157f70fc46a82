import { setTimeout as sleep } from 'node:timers/promises';
import {
  AgentState,
  ChannelResponse,
  EventEnvelope,
  type GatewayRequest,
  Problem,
  TurnExplanation,
} from '@latch/contracts';
import { z } from 'zod';
import { codeOf } from '../code-of.ts';

/** What ingress said to a message: the answer of the agent, or a problem (RFC 9457) with its HTTP status. */
export type SendOutcome =
  | { readonly ok: true; readonly response: ChannelResponse; readonly body: string }
  | { readonly ok: false; readonly status: number; readonly problem: Problem | null; readonly body: string };

/** Why a turn went as it did, or the problem that kept ingress from saying it. */
export type ExplainOutcome =
  | { readonly ok: true; readonly explanation: TurnExplanation; readonly body: string }
  | { readonly ok: false; readonly status: number; readonly problem: Problem | null; readonly body: string };

const Accepted = z.looseObject({ turn_id: z.string(), status_url: z.string() });
const TurnState = z.looseObject({ status: z.string(), response: ChannelResponse.nullish() });
const EventPage = z.union([z.array(EventEnvelope), z.looseObject({ events: z.array(EventEnvelope) })]);

/** How long a turn may take in all before the caller gives up. */
const patienceMs = 90_000;

/** The HTTP API of ingress, as a channel uses it. */
export class IngressClient {
  constructor(private readonly baseUrl: string) {}

  /** Sends one message and waits for its answer, however long the way over `202 Accepted` is. @throws Error when nobody answers at all. */
  async send(request: GatewayRequest): Promise<SendOutcome> {
    const answer = await this.post(request);
    if (answer.status === 202) return this.awaitTurn(Accepted.parse(JSON.parse(answer.body)).status_url);
    if (answer.status === 200) return this.answered(answer.body);
    return { ok: false, status: answer.status, problem: problemIn(answer.body), body: answer.body };
  }

  /** The raw answer to a raw body: status and text, for tests of the edge itself. */
  async post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<{ status: number; body: string }> {
    const response = await this.fetch(`${this.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'wait=30', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    });
    return { status: response.status, body: await response.text() };
  }

  /** The state of a conversation; undefined when there is none under this key. */
  async state(conversationKey: string): Promise<AgentState | undefined> {
    const response = await this.get(`/v1/conversations/${encodeURIComponent(conversationKey)}`);
    if (response.status === 404) return undefined;
    if (response.status !== 200) throw new Error(refusal(response.status, await response.text()));
    return AgentState.parse(await response.json());
  }

  /** The stored events of a conversation after version `after`, in order. */
  async events(conversationKey: string, after = 0): Promise<readonly EventEnvelope[]> {
    const path = `/v1/conversations/${encodeURIComponent(conversationKey)}/events?after=${after}&limit=500`;
    const response = await this.get(path);
    if (response.status === 404) return [];
    const page = EventPage.parse(await response.json());
    return Array.isArray(page) ? page : page.events;
  }

  /** Why the turn of a message went as it did. */
  async explanation(conversationKey: string, messageId: string): Promise<ExplainOutcome> {
    const [key, message] = [encodeURIComponent(conversationKey), encodeURIComponent(messageId)];
    const response = await this.get(`/v1/conversations/${key}/turns/${message}/explain`);
    const body = await response.text();
    if (response.status !== 200) return { ok: false, status: response.status, problem: problemIn(body), body };
    return { ok: true, explanation: TurnExplanation.parse(JSON.parse(body)), body };
  }

  private get(path: string): Promise<Response> {
    return this.fetch(this.baseUrl + path, { signal: AbortSignal.timeout(10_000) });
  }

  private async fetch(url: string | URL, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, init);
    } catch (error) {
      throw new Error(`ingress does not answer at ${this.baseUrl} (${codeOf(Object(error).cause ?? error)})`);
    }
  }

  private answered(body: string): SendOutcome {
    return { ok: true, response: ChannelResponse.parse(JSON.parse(body)), body };
  }

  private async awaitTurn(statusUrl: string): Promise<SendOutcome> {
    const endsAt = Date.now() + patienceMs;
    const url = new URL(statusUrl, this.baseUrl);
    while (Date.now() < endsAt) {
      const body = await (await this.fetch(url, { signal: AbortSignal.timeout(10_000) })).text();
      const turn = TurnState.safeParse(JSON.parse(body));
      if (turn.success && turn.data.response) return { ok: true, response: turn.data.response, body };
      await sleep(200);
    }
    throw new Error(`The turn was accepted but not answered within ${patienceMs / 1000} s: ${url.href}`);
  }
}

/** A refusal in a sentence: what the problem says, else what came. */
export function refusal(status: number, body: string): string {
  return `HTTP ${status}: ${problemIn(body)?.detail ?? body}`;
}

function problemIn(body: string): Problem | null {
  try {
    return Problem.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
