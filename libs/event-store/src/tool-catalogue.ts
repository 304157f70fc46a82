import { type Database } from './database.ts';

/** A tool as its server lists it. */
export type ObservedTool = {
  readonly tool: string;
  /** Digest of both schemas. */
  readonly hash: string;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  /** A change is accepted at once: the tool is only read from, wherever it is configured. */
  readonly isAcceptedOnChange: boolean;
};

/** A tool in the catalogue. `acceptedHash` differs from `observedHash` while an operator has not accepted a change. */
export type CatalogueTool = {
  readonly server: string;
  readonly tool: string;
  readonly observedHash: string;
  readonly acceptedHash: string;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  /** The schemas that were accepted last. */
  readonly acceptedInputSchema: unknown;
  readonly acceptedOutputSchema: unknown;
  readonly observedAt: string;
  readonly acceptedAt: string;
  /** `first_sight`, `read`, or who accepted it. */
  readonly acceptedBy: string;
};

/** What an observation found new. `first_sight`: pinned now. `accepted`: changed, and taken over. `pending`: changed, and not to be called. */
export type CatalogueChange = {
  readonly tool: string;
  readonly kind: 'first_sight' | 'accepted' | 'pending';
  readonly observedHash: string;
  readonly previousHash: string | null;
};

/** Who accepts which schema of a tool. */
export type Acceptance = {
  readonly server: string;
  readonly tool: string;
  /** The observed hash that is meant, so that nobody accepts what changed again meanwhile. */
  readonly hash: string;
  readonly by: string;
};

/**
 * The schemas of the servers' tools: what was seen last, and what was accepted (DESIGN section 6, invariant I13). First sight is trusted; a change of a tool with
 * an effect waits for an operator. Written by tool-executor, and by the operator's acceptance. It is about servers, and so belongs to no tenant.
 */
export class ToolCatalogue {
  constructor(private readonly database: Pick<Database, 'sql'>) {}

  /**
   * Records what a server lists. Of several executors that see the same change, one is told that it is new.
   *
   * @returns what is new since the last observation, whoever made that.
   */
  async observe(server: string, tools: readonly ObservedTool[]): Promise<readonly CatalogueChange[]> {
    if (tools.length === 0) return [];
    const rows = await this.database.sql<ChangeRow>(observeSql, [
      server,
      tools.map(({ tool }) => tool),
      tools.map(({ hash }) => hash),
      tools.map(({ inputSchema }) => JSON.stringify(inputSchema ?? {})),
      tools.map(({ outputSchema }) => (isAbsent(outputSchema) ? null : JSON.stringify(outputSchema))),
      tools.map(({ isAcceptedOnChange }) => isAcceptedOnChange),
    ]);
    return rows.map(changeOf);
  }

  /** What is known of a server's tools, or of all, by name. */
  async read(server?: string): Promise<readonly CatalogueTool[]> {
    const rows = await this.database.sql<CatalogueRow>(
      `SELECT * FROM tool_catalogue WHERE $1::text IS NULL OR server = $1 ORDER BY server, tool`,
      [server ?? null],
    );
    return rows.map(toolOf);
  }

  /** @returns false when that hash is not the one that was observed last, or the tool is unknown: nothing was accepted. */
  async accept({ server, tool, hash, by }: Acceptance): Promise<boolean> {
    const accepted = await this.database.sql(
      `UPDATE tool_catalogue SET accepted_hash = observed_hash, accepted_input_schema = input_schema, accepted_output_schema = output_schema,
         accepted_at = clock_timestamp(), accepted_by = $4
       WHERE server = $1 AND tool = $2 AND observed_hash = $3
       RETURNING tool`,
      [server, tool, hash, by],
    );
    return accepted.length === 1;
  }
}

/** The rows of the server are locked first, in one order, so that of two observers the second sees what the first has written. */
const observeSql = `
  WITH listed AS (
    SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bool[])
      AS l (tool, hash, input_schema, output_schema, is_accepted_on_change)
  ), before AS (
    SELECT c.tool, c.observed_hash, c.accepted_hash FROM tool_catalogue c JOIN listed l USING (tool)
    WHERE c.server = $1 ORDER BY c.tool FOR UPDATE OF c
  ), changed AS (
    UPDATE tool_catalogue c SET observed_hash = l.hash, input_schema = l.input_schema::json, output_schema = l.output_schema::json,
      observed_at = clock_timestamp(),
      accepted_hash = CASE WHEN l.is_accepted_on_change THEN l.hash ELSE c.accepted_hash END,
      accepted_input_schema = CASE WHEN l.is_accepted_on_change THEN l.input_schema::json ELSE c.accepted_input_schema END,
      accepted_output_schema = CASE WHEN l.is_accepted_on_change THEN l.output_schema::json ELSE c.accepted_output_schema END,
      accepted_at = CASE WHEN l.is_accepted_on_change THEN clock_timestamp() ELSE c.accepted_at END,
      accepted_by = CASE WHEN l.is_accepted_on_change THEN 'read' ELSE c.accepted_by END
    FROM listed l JOIN before b USING (tool)
    WHERE c.server = $1 AND c.tool = l.tool AND b.observed_hash <> l.hash
    RETURNING c.tool, c.observed_hash, b.observed_hash AS previous_hash, c.accepted_hash
  ), added AS (
    INSERT INTO tool_catalogue (server, tool, observed_hash, accepted_hash, input_schema, output_schema, accepted_input_schema,
      accepted_output_schema, accepted_by)
    SELECT $1, tool, hash, hash, input_schema::json, output_schema::json, input_schema::json, output_schema::json, 'first_sight'
    FROM listed WHERE tool NOT IN (SELECT tool FROM before)
    ORDER BY tool
    ON CONFLICT (server, tool) DO NOTHING
    RETURNING tool, observed_hash, NULL::text AS previous_hash, accepted_hash
  )
  SELECT * FROM changed UNION ALL SELECT * FROM added`;

type ChangeRow = { tool: string; observed_hash: string; previous_hash: string | null; accepted_hash: string };

function changeOf(row: ChangeRow): CatalogueChange {
  return { tool: row.tool, kind: kindOf(row), observedHash: row.observed_hash, previousHash: row.previous_hash };
}

function kindOf({ previous_hash, observed_hash, accepted_hash }: ChangeRow): CatalogueChange['kind'] {
  if (previous_hash === null) return 'first_sight';
  return observed_hash === accepted_hash ? 'accepted' : 'pending';
}

type CatalogueRow = {
  server: string;
  tool: string;
  observed_hash: string;
  accepted_hash: string;
  input_schema: unknown;
  output_schema: unknown;
  accepted_input_schema: unknown;
  accepted_output_schema: unknown;
  observed_at: Date;
  accepted_at: Date;
  accepted_by: string;
};

function toolOf(row: CatalogueRow): CatalogueTool {
  return {
    server: row.server,
    tool: row.tool,
    observedHash: row.observed_hash,
    acceptedHash: row.accepted_hash,
    inputSchema: row.input_schema,
    outputSchema: row.output_schema,
    acceptedInputSchema: row.accepted_input_schema,
    acceptedOutputSchema: row.accepted_output_schema,
    observedAt: row.observed_at.toISOString(),
    acceptedAt: row.accepted_at.toISOString(),
    acceptedBy: row.accepted_by,
  };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
