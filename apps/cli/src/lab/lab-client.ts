import { randomUUID } from 'node:crypto';
import { childEnvironment } from '@latch/config';
import {
  type McpServerConfig,
  type RawOutcome,
  type Result,
  type ToolExecution,
  type ToolResult,
} from '@latch/contracts';
import { type ListedTool, McpClientPool } from '@latch/mcp';
import { readToolResult } from '@latch/outcome';
import { type PlannedCall } from './lab-plan.ts';

/** One call of the lab: what came back, and what Latch understands by it. */
export type LabAnswer = { readonly outcome: RawOutcome; readonly result: ToolResult; readonly latencyMs: number };

/** How a call is made. */
export type LabCall = PlannedCall & {
  /** Absent: a read. */
  readonly key?: string;
  readonly timeoutMs?: number;
  /** Items that were asked for, where there are several. */
  readonly items?: readonly string[];
};

/** Where the server is. */
export type LabTarget = {
  readonly server: McpServerConfig;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly resetUrl: string | undefined;
  readonly faultsUrl: string | undefined;
};

const owner = { server: 'lab', tenant: 'latch-lab', principal: 'latch-lab' };

/** Calls a domain server as the tool executor does: the same sessions, deadlines, byte caps and keys, and the same reading of what comes back. */
export class LabClient {
  private readonly pool: McpClientPool;

  constructor(private readonly target: LabTarget) {
    this.pool = new McpClientPool({
      servers: { [owner.server]: { ...target.server, name: owner.server } },
      clientName: 'latch-lab',
      clientVersion: '1',
      headers: { [owner.server]: target.headers },
      // A program of the caller's own, started by the caller: it sees what they see.
      environments: { [owner.server]: { variables: childEnvironment(), secrets: [] } },
    });
  }

  /** The server's tools, all pages. */
  async listTools(): Promise<Result<readonly ListedTool[], RawOutcome>> {
    return this.pool.listTools({ ...owner, timeoutMs: this.target.timeoutMs });
  }

  /** Makes one call, once. Never throws on what the server does. */
  async call(call: LabCall): Promise<LabAnswer> {
    const from = performance.now();
    const outcome = await this.pool.callTool({
      ...owner,
      name: call.tool,
      arguments: call.arguments,
      timeoutMs: call.timeoutMs ?? this.target.timeoutMs,
      ...(call.key === undefined ? {} : { idempotencyKey: call.key }),
    });
    const latencyMs = performance.now() - from;
    return { outcome, latencyMs, result: readToolResult(executionOf(call, outcome, latencyMs)) };
  }

  /** A key that was never used. */
  newKey(): string {
    return `lab-${randomUUID()}`;
  }

  /** Puts the test system back to its first state. @returns false when the plan names no way to do so. */
  async reset(): Promise<boolean> {
    return this.target.resetUrl !== undefined && (await post(this.target.resetUrl, {}));
  }

  /** Asks the server to go wrong once. @returns false when it has no such switch, or not for this kind. */
  async breakNext(fault: {
    readonly tool: string;
    readonly kind: string;
    readonly delayMs?: number;
  }): Promise<boolean> {
    return this.target.faultsUrl !== undefined && (await post(this.target.faultsUrl, { ...fault, times: 1 }));
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await this.pool.close();
  }
}

function executionOf(call: LabCall, outcome: RawOutcome, latencyMs: number): ToolExecution {
  const hasEffect = call.key !== undefined;
  return {
    invocation_id: 'lab',
    invocation: {
      tenant_id: owner.tenant,
      agent_id: owner.principal,
      tool_name: call.tool,
      arguments: call.arguments,
      purpose: 'execution',
      operation_type: hasEffect ? 'transactional' : 'read_only',
      ...(call.items === undefined ? {} : { items: call.items.map((item) => ({ id: item, label: item })) }),
    },
    outcome,
    attempts: [],
    latency_ms: latencyMs,
  };
}

async function post(url: string, body: unknown): Promise<boolean> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5_000),
  });
  await response.body?.cancel();
  return response.ok;
}
