/** Types of postgres.mjs, for the TypeScript that starts the local Postgres. */
export type PostgresOptions = {
  readonly folder?: string;
  readonly port?: number;
  readonly database?: string;
  readonly isDurable?: boolean;
  readonly onProgress?: (text: string) => void;
};
export type RunningPostgres = {
  /** For `DATABASE_URL`. */
  readonly url: string;
  readonly pid: number;
  readonly logFile: string;
  stop(): Promise<boolean>;
};
export function startPostgres(options?: PostgresOptions): Promise<RunningPostgres>;
export function stopPostgres(options?: PostgresOptions): Promise<boolean>;
export function postgresStatus(
  options?: PostgresOptions,
): { readonly pid: number; readonly port: number; readonly url: string } | undefined;
