import { failure, mcpMeta, type RawOutcome, type Result, success } from '@latch/contracts';
import { z } from 'zod';
import { type CallScope } from './call-scope.ts';
import { inSession, type SessionRequest } from './in-session.ts';
import { type ListedTool, readListedTool } from './listed-tool.ts';
import { type SessionOwner } from './mcp-call.ts';
import { type Session } from './session.ts';
import { type SessionPool } from './session-pool.ts';

/** Whose tools are listed. */
export type ToolListing = SessionOwner & {
  /** Budget of all pages together, in milliseconds. @default 10_000 */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

/** What a list may be at most; a page alone is bounded by the server's `max_result_bytes`. */
export const listLimits = { pages: 100, tools: 2_000, characters: 8 * 1024 * 1024 } as const;

/**
 * Lists the tools of a server, all pages. An entry that is no tool is left out, and so are two tools of one name: nobody could say which of them is meant.
 *
 * @returns a failure with `sent: false` (no tool was called, whatever came of it) when a page cannot be had, when a cursor comes twice, or past the bounds.
 */
export async function listTools(
  listing: ToolListing,
  sessions: SessionPool,
): Promise<Result<readonly ListedTool[], RawOutcome>> {
  const request: SessionRequest = { ...listing, timeoutMs: listing.timeoutMs ?? 10_000 };
  const done = await inSession(request, sessions, (session, scope) => readPages(request, scope, session));
  if (!done.ok) return failure({ ...done.error, sent: false });
  return done.value;
}

const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

async function readPages(
  request: SessionRequest,
  scope: CallScope,
  session: Session,
): Promise<Result<readonly ListedTool[], RawOutcome>> {
  const seen = new Set<string>();
  let entries: readonly unknown[] = [];
  let characters = 0;
  let cursor: string | undefined;
  do {
    const page = await readPage(request, { session, scope, cursor });
    characters += JSON.stringify(page).length;
    entries = entries.concat(page.tools);
    const problem = boundsProblem({ pages: seen.size + 1, tools: entries.length, characters });
    if (problem !== null) return failure(unreadable('result_too_large', problem));
    cursor = page.nextCursor ?? undefined;
    if (cursor !== undefined && seen.has(cursor))
      return failure(unreadable('result_unreadable', 'The server gave the same cursor of tools/list twice.'));
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return success(withoutTwins(entries.map(readListedTool).filter((tool) => tool !== null)));
}

function readPage(
  { tenant, timeoutMs }: SessionRequest,
  {
    session,
    scope,
    cursor,
  }: { readonly session: Session; readonly scope: CallScope; readonly cursor: string | undefined },
): Promise<z.output<typeof Page>> {
  const params = { ...(cursor === undefined ? {} : { cursor }), _meta: { [mcpMeta.tenant]: tenant } };
  return session.client.request({ method: 'tools/list', params }, Page, {
    signal: scope.signal,
    timeout: timeoutMs + 60_000,
  });
}

function boundsProblem(size: {
  readonly pages: number;
  readonly tools: number;
  readonly characters: number;
}): string | null {
  if (size.pages > listLimits.pages) return `The list of tools has more than ${listLimits.pages} pages.`;
  if (size.tools > listLimits.tools) return `The server lists more than ${listLimits.tools} tools.`;
  return size.characters > listLimits.characters
    ? `The list of tools is larger than ${listLimits.characters} characters.`
    : null;
}

function unreadable(code: string, message: string): RawOutcome {
  return { kind: 'transport_error', code, message, sent: false };
}

function withoutTwins(tools: readonly ListedTool[]): readonly ListedTool[] {
  const count = new Map<string, number>();
  for (const { name } of tools) count.set(name, (count.get(name) ?? 0) + 1);
  return tools.filter(({ name }) => count.get(name) === 1);
}
