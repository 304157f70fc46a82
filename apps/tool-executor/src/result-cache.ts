import { digest, RawOutcome, type ToolConfig, type ToolExecution } from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';
import { isMutating, readToolResult } from '@latch/outcome';

/** How much is kept. Beyond either bound, what was not used for longest goes first. */
export type ResultCacheBounds = {
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** A larger answer is not kept at all. */
  readonly maxEntryBytes: number;
};

const defaultBounds: ResultCacheBounds = {
  maxEntries: 5_000,
  maxBytes: 32 * 1024 * 1024,
  maxEntryBytes: 256 * 1024,
};

/** A call whose answer may be one of before. */
export type CacheableCall = {
  readonly approved: ApprovedInvocation;
  readonly tool: Pick<ToolConfig, 'name' | 'operationType' | 'requiresConfirmation' | 'workflow' | 'cacheTtlSeconds'>;
  /** The schema of the tool that is in use; null: unknown, and then nothing is kept. */
  readonly schemaHash: string | null;
};

/** An answer of before, and for how long it may still be given. */
export type CachedAnswer = { readonly outcome: RawOutcome; readonly ttlSeconds: number };

type Entry = { readonly text: string; readonly bytes: number; readonly endsAt: number };

/**
 * Answers of declared reads, to be given again for a while (DESIGN section 6): only where the operator says so (`cache.ttl_seconds`), only for executions, only
 * full successes, and only to the same tenant, agent and customer for the same tool, schema and arguments (invariant I12). It is a memory of this process: a
 * restart forgets it, and each replica has its own.
 */
export class ResultCache {
  /** In the order of last use. */
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(
    private readonly bounds: ResultCacheBounds = defaultBounds,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @returns undefined when there is none, or it is too old. */
  find(call: CacheableCall): CachedAnswer | undefined {
    const key = keyOf(call);
    const entry = key === null ? undefined : this.entries.get(key);
    if (key === null || entry === undefined) return undefined;
    this.drop(key, entry);
    const leftMs = entry.endsAt - this.now();
    if (leftMs <= 0) return undefined;
    this.put(key, entry);
    // Parsed anew each time, so that nobody's answer can be changed by another's reader.
    return { outcome: RawOutcome.parse(JSON.parse(entry.text)), ttlSeconds: Math.ceil(leftMs / 1000) };
  }

  /** Keeps the answer of an execution, if it is one to be kept. */
  keep(call: CacheableCall, execution: ToolExecution): void {
    const key = keyOf(call);
    const ttlSeconds = call.tool.cacheTtlSeconds;
    if (key === null || ttlSeconds === undefined || !isFullSuccess(execution)) return;
    const text = JSON.stringify(execution.outcome);
    const bytes = 2 * (text.length + key.length);
    if (bytes > this.bounds.maxEntryBytes) return;
    const before = this.entries.get(key);
    if (before !== undefined) this.drop(key, before);
    this.put(key, { text, bytes, endsAt: this.now() + ttlSeconds * 1000 });
    this.evict();
  }

  /** What it holds now. */
  get size(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.entries.size, bytes: this.bytes };
  }

  private put(key: string, entry: Entry): void {
    this.entries.set(key, entry);
    this.bytes += entry.bytes;
  }

  private drop(key: string, entry: Entry): void {
    this.entries.delete(key);
    this.bytes -= entry.bytes;
  }

  private evict(): void {
    for (const [key, entry] of this.entries) {
      if (this.entries.size <= this.bounds.maxEntries && this.bytes <= this.bounds.maxBytes) return;
      this.drop(key, entry);
    }
  }
}

/** Whether the answers of a tool may be kept at all. */
export function isCacheable({ approved, tool }: Omit<CacheableCall, 'schemaHash'>): boolean {
  const { operationType, purpose } = approved;
  const isPlainRead = tool.operationType === 'read_only' && !tool.requiresConfirmation && tool.workflow === undefined;
  return (
    tool.cacheTtlSeconds !== undefined &&
    isPlainRead &&
    purpose === 'execution' &&
    !isMutating({ operation_type: operationType, purpose })
  );
}

/** The digest keeps the parts apart, whatever they hold. Who has no customer key is a customer in this conversation only. */
function keyOf({ approved, tool, schemaHash }: CacheableCall): string | null {
  if (schemaHash === null || !isCacheable({ approved, tool })) return null;
  const { tenantId, agentId, conversationKey, invocation } = approved;
  const customer: unknown = invocation.business_context?.['customer_key'];
  return digest({
    ...{ tenantId, agentId, tool: tool.name, schemaHash },
    whose: isNamed(customer) ? { customer } : { conversation: conversationKey },
    arguments: invocation.arguments,
  });
}

function isNamed(customer: unknown): boolean {
  return (typeof customer === 'string' && customer.trim() !== '') || typeof customer === 'number';
}

/** An answer that broke its contract in any way is not given twice. */
function isFullSuccess(execution: ToolExecution): boolean {
  const { outcome } = execution;
  if (outcome.kind !== 'result' || outcome.schema_problems !== undefined) return false;
  const result = readToolResult(execution);
  return result.ok && result.outcome === 'SUCCESS' && !Array.isArray(result['contract_warnings']);
}
