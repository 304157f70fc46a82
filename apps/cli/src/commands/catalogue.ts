import { userInfo } from 'node:os';
import { createLogger } from '@latch/observability';
import { type CatalogueTool, type EventStore, openEventStore } from '@latch/event-store';
import { schemaDifferences } from '../catalogue/schema-differences.ts';
import { type CliSettings } from '../config.ts';
import { databaseUrlOf } from '../system/database-url-of.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { runCommand } from '../run-command.ts';
import { print, printLines, progress, tableLines } from '../terminal.ts';

/** Options of `latch catalogue list`. */
export type CatalogueListOptions = { readonly server?: string; readonly pending?: boolean; readonly json?: boolean };

/** Options of `latch catalogue accept`. */
export type CatalogueAcceptOptions = { readonly hash: string; readonly by?: string };

/** `latch catalogue list`: the pinned schemas, and what differs where one waits for an operator. Ends with 1 when one does, 2 when it could not run. */
export async function listCatalogue(settings: CliSettings, options: CatalogueListOptions): Promise<void> {
  await withStore(settings, options, async (store) => {
    const all = await store.catalogue.read(options.server);
    const tools = options.pending ? all.filter(isPending) : all;
    if (options.json) print(JSON.stringify(tools));
    else printLines(catalogueLines(tools));
    return !all.some(isPending);
  });
}

/** `latch catalogue accept`: lets a tool be called with the schema that its server has now. Ends with 1 when that is not the schema of this hash, 2 when it could not run. */
export async function acceptTool(
  settings: CliSettings,
  tool: { readonly server: string; readonly tool: string },
  options: CatalogueAcceptOptions,
): Promise<void> {
  await withStore(settings, {}, async (store) => {
    const known = await store.catalogue.read(tool.server);
    const hash = known.find(
      (entry) => entry.tool === tool.tool && entry.observedHash.startsWith(options.hash),
    )?.observedHash;
    const by = options.by ?? userInfo().username;
    const isAccepted = hash !== undefined && (await store.catalogue.accept({ ...tool, hash, by }));
    print(
      isAccepted
        ? `Accepted: ${tool.server}/${tool.tool} with schema ${hash}. The executor takes it up at its next look.`
        : `Not accepted: ${tool.server} lists no ${tool.tool} with schema ${options.hash} now. See: latch catalogue list`,
    );
    return isAccepted;
  });
}

/** The catalogue as a table, and below it what changed in each tool that waits. */
export function catalogueLines(tools: readonly CatalogueTool[]): readonly string[] {
  if (tools.length === 0) return ['Nothing.'];
  const rows = tools.map((tool) => [
    `${tool.server}/${tool.tool}`,
    isPending(tool) ? 'waits' : 'accepted',
    shortHash(tool.observedHash),
    `${tool.acceptedBy}, ${tool.acceptedAt.slice(0, 16)}Z`,
  ]);
  const differences = tools
    .filter(isPending)
    .flatMap((tool) => [
      '',
      `${tool.server}/${tool.tool} changed after it was accepted:`,
      ...schemaDifferences(tool).map((line) => `  ${line}`),
      `  Accept it: latch catalogue accept ${tool.server} ${tool.tool} --hash ${shortHash(tool.observedHash)}`,
    ]);
  return [...tableLines([['tool', 'state', 'schema', 'accepted by'], ...rows]), ...differences];
}

function isPending({ observedHash, acceptedHash }: CatalogueTool): boolean {
  return observedHash !== acceptedHash;
}

/** Enough of a hash to tell two apart; `--hash` takes the beginning. */
function shortHash(hash: string): string {
  return hash.slice(0, 12);
}

async function withStore(
  settings: CliSettings,
  options: { readonly json?: boolean },
  act: (store: EventStore) => Promise<boolean>,
): Promise<void> {
  const logger = createLogger({ service: 'cli', level: 'silent' });
  await runCommand(options, async () => {
    const { stateFolder } = systemOptionsFrom(settings, progress);
    const store = await openEventStore({
      databaseUrl: databaseUrlOf(settings, stateFolder),
      producer: 'cli',
      logger,
      role: 'latch_maintenance',
      poolSize: 1,
    });
    return act(store).finally(() => store.close());
  });
}
