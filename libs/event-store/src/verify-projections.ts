import { type ComparisonParts, compareProjections } from './compare-projections.ts';
import { type Database, type Sql } from './database.ts';
import { findOrphans } from './find-orphans.ts';
import { type ProjectionDifference, type Unreadable } from './projection-difference.ts';
import { type StoredConversation } from './stored-conversation.ts';
import { indexRecords } from './index-records.ts';
import { type PersonalVault } from './personal-vault.ts';
import { proveStream, type ProvenStream } from './prove-stream.ts';
import { ProjectionsTally, type ProjectionsReport, type VerifiedStream } from './projections-report.ts';
import { readProjections, wantedOf } from './read-projections.ts';
import { unsealPage } from './read-sealed.ts';
import { lastStream, readPage, type StoredStream } from './read-streams.ts';
import { type Projector } from './stream-projection.ts';
import { everyTenant, type TenantScope } from './tenant-scope.ts';

/** What to verify, and how. */
export type ProjectionsToVerify = Pick<ComparisonParts, 'read'> & {
  readonly project: Projector;
  /** Only of this tenant; of all when left out. */
  readonly tenantId?: string;
  /** The instant before which retention has let rows of a tenant go. Not given: it never does. */
  readonly keptSince?: ComparisonParts['keptSince'];
  /** Told after each page. */
  readonly onProgress?: (progress: { readonly streams: number; readonly events: number }) => void;
};

type Store = { readonly database: Pick<Database, 'snapshot'>; readonly vault: PersonalVault };

/**
 * Compares every row that is made from the events with what the events say, page by page, each page as of one moment: so the system may run meanwhile, and nothing
 * is locked. Conversations that begin meanwhile are left to the next time. Then it looks for rows that no stream has. It writes nothing.
 */
export async function verifyProjections(store: Store, request: ProjectionsToVerify): Promise<ProjectionsReport> {
  const tally = new ProjectionsTally();
  const until = await store.database.snapshot(scopeOf(request), (sql) => lastStream(sql, request));
  for (let after: string | undefined; after !== until;) {
    const page = await verifyPage(store, request, { after, until });
    for (const stream of page.streams) tally.add(stream);
    request.onProgress?.(tally.progress());
    after = page.last ?? until;
  }
  const orphans = await findOrphans(store, scopeOf(request), request.keptSince ?? never);
  for (const found of orphans) tally.addOrphans(found);
  return tally.report();
}

function scopeOf({ tenantId }: Pick<ProjectionsToVerify, 'tenantId'>): TenantScope {
  return tenantId === undefined ? everyTenant : { tenants: [tenantId] };
}

const never = (): null => null;

type Page = {
  readonly streams: readonly VerifiedStream[];
  /** The stream to go on after; undefined when there was none left. */
  readonly last: string | undefined;
};

type Bounds = { readonly after: string | undefined; readonly until: string | undefined };

function verifyPage({ database, vault }: Store, request: ProjectionsToVerify, { after, until }: Bounds): Promise<Page> {
  const { tenantId } = request;
  const bounds = { ...(after !== undefined && { after }), ...(until !== undefined && { until }) };
  const filter = { ...bounds, ...(tenantId !== undefined && { tenantId }) };
  return database.snapshot(scopeOf(request), async (sql) => {
    const streams = await unsealPage(sql, await readPage(sql, filter), vault);
    const projected: Projected[] = [];
    for (const stream of streams) projected.push({ stream, ...(await proveStream(stream, request.project)) });
    return {
      streams: await comparePage({ sql, vault }, projected, request),
      last: streams.at(-1)?.conversation.streamId,
    };
  });
}

type Projected = { readonly stream: StoredStream } & ProvenStream;

async function comparePage(
  { sql, vault }: { readonly sql: Sql; readonly vault: PersonalVault },
  projected: readonly Projected[],
  { read, keptSince = never }: ProjectionsToVerify,
): Promise<readonly VerifiedStream[]> {
  const whole = projected.flatMap((one) => (one.projection === null ? [] : [one]));
  const records = indexRecords(await readProjections(sql, vault, wantedOf(whole)));
  return projected.map((one) => {
    const { conversation, events } = one.stream;
    if (one.projection !== null) {
      const { projection } = one;
      const comparison = compareProjections(conversation, { projection, records }, { read, keptSince });
      const differences = [...alteredSnapshot(conversation), ...comparison.differences];
      return { events: events.length, comparison: { ...comparison, differences } };
    }
    if (one.why === 'erased') return { events: events.length, comparison: null };
    const { tenantId, conversationKey } = conversation;
    const place = { kind: 'unprovable', column: null, stored: undefined, tenantId, conversationKey } as const;
    const differences = [...alteredSnapshot(conversation), { ...place, ...one.why }];
    return { events: events.length, comparison: { differences, rows: 0, letGo: 0, rebuilt: 0 } };
  });
}

/** What a snapshot says is compared with the fold by who folds (`replay rebuild`); that nothing can be read in it is told here too. */
function alteredSnapshot({
  isStateAltered,
  streamId,
  tenantId,
  conversationKey,
}: StoredConversation): readonly ProjectionDifference[] {
  if (isStateAltered !== true) return [];
  const stored: Unreadable = { unreadable: 'altered' };
  const place = { table: 'conversations', row: streamId, column: 'state' } as const;
  return [{ kind: 'changed', ...place, stored, found: undefined, tenantId, conversationKey }];
}
