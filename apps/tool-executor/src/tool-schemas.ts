import {
  type McpServerConfig,
  type PlatformConfig,
  type RawOutcome,
  type Result,
  type StructuredError,
  success,
} from '@latch/contracts';
import { type CatalogueChange, type ToolCatalogue } from '@latch/event-store';
import { type McpClientPool } from '@latch/mcp';
import { type Logger } from '@latch/observability';
import { configuredTools, type ConfiguredTools } from './configured-tools.ts';
import { type SeenTool, seenTools } from './seen-tool.ts';

/** What watching the servers' schemas takes. */
export type ToolSchemaParts = {
  readonly config: Pick<PlatformConfig, 'agents' | 'servers'>;
  readonly mcp: Pick<McpClientPool, 'listTools'>;
  readonly catalogue: Pick<ToolCatalogue, 'observe' | 'read'>;
  readonly logger: Logger;
  /** How old a listing may be when a tool with an effect is called, in milliseconds; 0: each call lists first. */
  readonly freshMs: number;
  /** Told each listing: what is new, and which tools wait for an operator now. */
  readonly onListed: (listing: Listing) => void;
};

/** What a listing of a server came to. */
export type Listing = {
  readonly server: string;
  readonly changes: readonly (CatalogueChange & { readonly isRead: boolean })[];
  readonly pending: readonly PendingSchema[];
  /** The tools of which the accepted schema is the one in use. */
  readonly settled: readonly string[];
};

/** A tool that is not called until an operator accepts its schema. */
export type PendingSchema = { readonly tool: string; readonly observedHash: string; readonly acceptedHash: string };

/** A call that is about to be made. */
export type CallToCheck = {
  readonly server: McpServerConfig;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The schema that the call was approved under; null: none was pinned then. */
  readonly approvedHash: string | null;
  readonly isMutating: boolean;
  /** What is left of the call's deadline. */
  readonly timeoutMs: number;
};

type Known = {
  readonly listedAt: number;
  readonly tools: ReadonlyMap<string, SeenTool>;
  accepted: ReadonlyMap<string, string>;
};

/** On whose behalf the servers are asked what they offer. */
const asker = { tenant: 'platform', principal: 'tool-executor' } as const;

/** Budget of a listing beyond the connection. */
const listingMs = 5_000;

/**
 * Watches the schemas of the tools that the configuration names (DESIGN section 6, invariant I13). A call goes out only to a tool whose schema is the one that was
 * accepted, and that the call was approved under, with arguments that fit it. A tool with an effect is listed anew before its call when the last listing is not
 * fresh; a read is called by the last one there is.
 */
export class ToolSchemas {
  private readonly configured: ReadonlyMap<string, ConfiguredTools>;
  private readonly known = new Map<string, Known>();
  private readonly listings = new Map<string, Promise<Result<Known, RawOutcome>>>();
  private readonly unlisted = new Map<string, string>();
  private readonly closing = new AbortController();

  constructor(private readonly parts: ToolSchemaParts) {
    this.configured = configuredTools(parts.config);
  }

  /**
   * @returns null when the call may go out; else why not, with certainty that nothing was sent.
   * @throws RetryableError when the database does not answer.
   */
  async check(call: CallToCheck): Promise<RawOutcome | null> {
    const known = await this.knownFor(call);
    if (!known.ok) return known.error;
    const tool = known.value.tools.get(call.tool);
    if (tool === undefined) return refused(notListed(call));
    const isPinned = isAsApproved(known.value, tool, call) || (await this.isAcceptedMeanwhile(known.value, tool, call));
    if (!isPinned) return refused(schemaChanged(call));
    const unfit = tool.problemOf(call.arguments);
    return unfit === null ? null : refused(unfit);
  }

  /** In what the structured answer of a tool breaks the schema that the tool declares for it; nothing where it declares none. */
  outputProblems(server: string, tool: string, structuredContent: unknown): readonly string[] {
    return this.known.get(server)?.tools.get(tool)?.outputProblems(structuredContent) ?? [];
  }

  /** The schema of a tool, where the one that was listed last is the accepted one; null where it is not, or not known. */
  pinnedHash(server: string, tool: string): string | null {
    const known = this.known.get(server);
    const hash = known?.tools.get(tool)?.hash ?? null;
    return hash !== null && known?.accepted.get(tool) === hash ? hash : null;
  }

  /** The server says that its tools changed: the next call with an effect lists them first. */
  forget(server: string): void {
    const known = this.known.get(server);
    if (known !== undefined) this.known.set(server, { ...known, listedAt: Number.NEGATIVE_INFINITY });
  }

  /** Lists the tools of every server that has some; a server that does not answer is told by `troubles`. */
  async refresh(): Promise<void> {
    await Promise.all([...this.configured.keys()].map((server) => this.refreshOne(server)));
  }

  /** Lists one server's tools. @returns whether it answered. */
  async refreshOne(server: string): Promise<boolean> {
    const config = this.parts.config.servers[server];
    if (config === undefined || !config.enabled) return false;
    try {
      return (await this.list(config)).ok;
    } catch (error) {
      this.parts.logger.warn('schemas.not_refreshed', { error, server });
      return false;
    }
  }

  /** Whether the configuration names this server's tools, or this one of them. */
  watches(server: string, tool?: unknown): boolean {
    const tools = this.configured.get(server);
    return tools !== undefined && (typeof tool !== 'string' || tools.has(tool));
  }

  /** Gives up the listings that run; what waits for one hears that nothing was sent. */
  close(): void {
    this.closing.abort();
  }

  /** What an operator should know: servers that do not list their tools, and why. */
  get troubles(): readonly string[] {
    return [...this.unlisted].map(([server, reason]) => `${server} does not list its tools: ${reason}`);
  }

  private async knownFor({ server, isMutating, timeoutMs }: CallToCheck): Promise<Result<Known, RawOutcome>> {
    const known = this.known.get(server.name);
    const isFresh = known !== undefined && performance.now() - known.listedAt < this.parts.freshMs;
    if (known !== undefined && (isFresh || !isMutating)) return success(known);
    return withinTime(this.list(server), timeoutMs);
  }

  /** One listing per server at a time; who needs one waits for the one that runs. */
  private list(server: McpServerConfig): Promise<Result<Known, RawOutcome>> {
    const running = this.listings.get(server.name);
    if (running !== undefined) return running;
    const listing = this.listNow(server).finally(() => this.listings.delete(server.name));
    this.listings.set(server.name, listing);
    return listing;
  }

  private async listNow(server: McpServerConfig): Promise<Result<Known, RawOutcome>> {
    const { mcp, catalogue, onListed } = this.parts;
    const listedAt = performance.now();
    const timeoutMs = server.connectTimeoutMs + listingMs;
    const listed = await mcp.listTools({ server: server.name, ...asker, timeoutMs, signal: this.closing.signal });
    if (!listed.ok) {
      this.unlisted.set(server.name, reasonOf(listed.error));
      return listed;
    }
    this.unlisted.delete(server.name);
    const wanted = this.configured.get(server.name) ?? new Map<string, boolean>();
    const tools = seenTools(listed.value, new Set(wanted.keys()));
    const observed = [...tools.values()].map((tool) => ({
      ...tool.observed,
      isAcceptedOnChange: wanted.get(tool.name) === true,
    }));
    const changes = await catalogue.observe(server.name, observed);
    const known = { listedAt, tools, accepted: await this.readAccepted(server.name) };
    this.known.set(server.name, known);
    onListed({
      server: server.name,
      changes: changes.map((change) => ({ ...change, isRead: wanted.get(change.tool) === true })),
      ...dividedBy(known),
    });
    return success(known);
  }

  private async readAccepted(server: string): Promise<ReadonlyMap<string, string>> {
    const tools = await this.parts.catalogue.read(server);
    return new Map(tools.map(({ tool, acceptedHash }) => [tool, acceptedHash]));
  }

  /** An operator may have accepted the schema since the last listing. */
  private async isAcceptedMeanwhile(known: Known, tool: SeenTool, call: CallToCheck): Promise<boolean> {
    known.accepted = await this.readAccepted(call.server.name);
    return isAsApproved(known, tool, call);
  }
}

function isAsApproved({ accepted }: Known, { name, hash }: SeenTool, { approvedHash }: CallToCheck): boolean {
  return accepted.get(name) === hash && (approvedHash === null || approvedHash === hash);
}

function dividedBy({ tools, accepted }: Known): Pick<Listing, 'pending' | 'settled'> {
  const all = [...tools.values()].map(({ name, hash }) => ({
    tool: name,
    observedHash: hash,
    acceptedHash: accepted.get(name) ?? hash,
  }));
  const isPending = ({ observedHash, acceptedHash }: PendingSchema): boolean => observedHash !== acceptedHash;
  return {
    pending: all.filter(isPending),
    settled: all.filter((tool) => !isPending(tool)).map(({ tool }) => tool),
  };
}

async function withinTime<T>(
  listing: Promise<Result<T, RawOutcome>>,
  timeoutMs: number,
): Promise<Result<T, RawOutcome>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result<T, RawOutcome>>((resolve) => {
    const outcome: RawOutcome = { kind: 'timeout', timeout_ms: timeoutMs, sent: false };
    timer = setTimeout(() => resolve({ ok: false, error: outcome }), timeoutMs);
  });
  try {
    return await Promise.race([listing, late]);
  } finally {
    clearTimeout(timer);
    // The listing goes on for others; if nobody waits for it any more, its failure is nobody's.
    listing.catch(() => undefined);
  }
}

function refused(error: StructuredError): RawOutcome {
  return { kind: 'refused', error };
}

function notListed({ server, tool }: CallToCheck): StructuredError {
  const message = `The server ${server.name} lists no tool ${tool}.`;
  return { errorCategory: 'permission', isRetryable: false, message, code: 'tool.not_allowed' };
}

function schemaChanged({ tool }: CallToCheck): StructuredError {
  const message = `The schema of ${tool} is not the one that was accepted and approved.`;
  return { errorCategory: 'validation', isRetryable: false, message, code: 'tool.schema_changed' };
}

function reasonOf(outcome: RawOutcome): string {
  if (outcome.kind === 'http_error') return `HTTP ${outcome.status}`;
  return outcome.kind === 'transport_error' ? outcome.code : outcome.kind;
}
