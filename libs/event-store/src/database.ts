import { RetryableError } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import pg from 'pg';
import { type StoreRole } from './migrations/tenant-table.ts';
import { postgresTrust } from './postgres-trust.ts';
import { storableText } from './storable-text.ts';
import { asStoreError } from './store-errors.ts';
import { openScope, type Plans, type TenantScope } from './tenant-scope.ts';

/**
 * Runs one parameterized statement and returns its rows. `text` must be a constant: it is prepared once per connection under a name of its own.
 * Statements that are not awaited one by one are sent together (pipelined) and answered in order.
 *
 * @throws RetryableError as `asStoreError` says.
 */
export type Sql = <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** One statement with its values. */
export type Statement = { readonly text: string; readonly values?: readonly unknown[] | undefined };

/** How to reach a database. */
export type DatabaseOptions = {
  readonly databaseUrl: string;
  /** Name of the connections in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly logger: Logger;
  readonly poolSize: number;
  /** The role that each connection takes up; the login must be a member of it. Not given: the login's own rights, as its owner has them. */
  readonly role?: StoreRole;
};

/** A pool of connections to Postgres, with transactions. It survives the loss of any connection, and of the server. */
export class Database {
  private readonly pool: pg.Pool;
  private lastError: unknown;

  constructor(private readonly options: DatabaseOptions) {
    this.pool = new pg.Pool({
      connectionString: options.databaseUrl,
      application_name: options.applicationName,
      max: options.poolSize,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 5_000,
      statement_timeout: 15_000,
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: 30_000,
      options: connectionOptions(options.role),
    });
    // Without a listener the loss of an idle connection would end the process.
    this.pool.on('error', (error) => this.failed('database.idle_connection_lost', error));
  }

  /** Runs one statement on its own, with no tenant open: for what belongs to no tenant, and for the functions that sweep. */
  readonly sql: Sql = async (text, values) => this.withClient(async (client) => sqlOn(client)(text, values));

  /** Runs single statements, each in a transaction that sees and writes rows of these tenants only. Still one round trip each. */
  within(scope: TenantScope, plans: Plans = 'custom'): Sql {
    return async (text, values) => this.withinAfter({ scope, plans }, () => Promise.resolve({ text, values }));
  }

  /**
   * Runs one statement in such a transaction that takes something read there before: `prepare` reads, and says what to run. Begin, scope and the first reads are
   * sent together, and so are the statement and the commit.
   */
  async withinAfter<Row extends pg.QueryResultRow>(
    { scope, plans }: { readonly scope: TenantScope; readonly plans: Plans },
    prepare: (sql: Sql) => Promise<Statement>,
  ): Promise<Row[]> {
    return this.withClient(async (client) => {
      const sql = sqlOn(client);
      const run = async (): Promise<Row[]> => {
        const { text, values } = await prepare(sql);
        const [rows] = await Promise.all([sql<Row>(text, values), commit(client)]);
        return rows;
      };
      try {
        const [, , rows] = await Promise.all([plain(client, 'BEGIN'), openScope(sql, scope, plans), run()]);
        return rows;
      } catch (error) {
        await this.rollback(client);
        throw error;
      }
    });
  }

  /**
   * Runs `work` in one transaction; `now` is its begin by the database clock. The error of `work` rises as it is, whatever the rollback says.
   *
   * @throws RetryableError when the connection is lost, also during the commit: then nobody knows whether it is stored, and the repeated work finds out.
   */
  async transaction<T>(work: (sql: Sql, now: string) => Promise<T>): Promise<T> {
    return this.withClient(async (client) => {
      const sql = sqlOn(client);
      try {
        const result = await work(sql, await begin(client));
        await commit(client);
        return result;
      } catch (error) {
        await this.rollback(client);
        throw error;
      }
    });
  }

  /** Reads as of one moment, over several statements, the rows of these tenants only; writes nothing. */
  async snapshot<T>(scope: TenantScope, read: (sql: Sql) => Promise<T>, plans: Plans = 'custom'): Promise<T> {
    return this.withClient(async (client) => {
      const sql = sqlOn(client);
      try {
        await Promise.all([sql('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'), openScope(sql, scope, plans)]);
        const result = await read(sql);
        await commit(client);
        return result;
      } catch (error) {
        await this.rollback(client);
        throw error;
      }
    });
  }

  /** Whether the last use of the database succeeded. */
  isHealthy(): boolean {
    return this.lastError === undefined;
  }

  /** Ends all connections, when their work is done. */
  async close(): Promise<void> {
    await this.pool.end();
  }

  private async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connect();
    let lost: Error | undefined;
    const onError = (error: Error): void => {
      lost = error;
    };
    client.on('error', onError);
    try {
      const result = await work(client);
      this.lastError = undefined;
      return result;
    } catch (error) {
      if (lost) this.failed('database.connection_lost', lost);
      throw lost ? asStoreError(lost) : error;
    } finally {
      client.off('error', onError);
      client.release(lost ?? client.getTransactionStatus() !== 'I');
    }
  }

  private async connect(): Promise<pg.PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      this.failed('database.unreachable', error);
      const noTrust = postgresTrust(error);
      if (noTrust !== undefined) throw new RetryableError(noTrust, { cause: error, retryAfterMs: 1_000 });
      throw asStoreError(new Error('No connection to the database', { cause: error }));
    }
  }

  /** A connection that cannot even roll back is thrown away by `withClient`; the server rolls back by itself. */
  private async rollback(client: pg.PoolClient): Promise<void> {
    try {
      await client.query('ROLLBACK');
    } catch (error) {
      this.options.logger.debug('database.rollback_failed', { error });
    }
  }

  private failed(event: string, error: unknown): void {
    this.lastError = error;
    this.options.logger.warn(event, { error });
  }
}

/** A plan that was made while the tables were empty would serve batches for ever, at 3.6 times the cost. */
function connectionOptions(role: StoreRole | undefined): string {
  const asRole = role === undefined ? '' : ` -c role=${role}`;
  return `-c plan_cache_mode=force_custom_plan -c TimeZone=UTC${asRole}`;
}

/** UTC with milliseconds, as JavaScript and the wire have it. */
export const clockColumn = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`;

const statementNames = new Map<string, string>();

function nameOf(text: string): string {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  const name = `latch_${statementNames.size + 1}`;
  statementNames.set(text, name);
  return name;
}

function sqlOn(client: pg.PoolClient): Sql {
  return async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    try {
      const result = await client.query<Row>({ name: nameOf(text), text, values: values.map(storable) });
      return result.rows;
    } catch (error) {
      throw asStoreError(error);
    }
  };
}

/** Only U+0000 needs care here: a lone surrogate becomes the replacement character when the text is encoded as UTF-8. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? storableText(value) : value;
  return Array.isArray(value) ? value.map(storable) : value;
}

/** A statement without values, not prepared. */
async function plain(client: pg.PoolClient, text: string): Promise<pg.QueryResult> {
  try {
    return await client.query(text);
  } catch (error) {
    throw asStoreError(error);
  }
}

/** Begin and clock are sent together: one round trip. */
async function begin(client: pg.PoolClient): Promise<string> {
  try {
    const [, clock] = await Promise.all([
      client.query('BEGIN ISOLATION LEVEL READ COMMITTED'),
      client.query<{ now: string }>({ name: 'latch_clock', text: `SELECT ${clockColumn}` }),
    ]);
    return clock.rows[0]?.now ?? '';
  } catch (error) {
    throw asStoreError(error);
  }
}

/** The server answers COMMIT with ROLLBACK, and no error, when a statement had failed and somebody swallowed it. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await plain(client, 'COMMIT');
  if (command !== 'COMMIT') throw new TypeError('A statement of the transaction failed and its error was swallowed');
}
