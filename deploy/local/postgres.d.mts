/** Types of postgres.mjs for the TypeScript side. */
export type LocalPostgresOptions = {
  readonly folder?: string;
  readonly port?: number;
  readonly database?: string;
  readonly isDurable?: boolean;
  readonly onProgress?: (line: string) => void;
};

export function postgresStatus(
  options?: LocalPostgresOptions,
): { readonly pid: number; readonly port: number; readonly url: string } | undefined;
export function startPostgres(options?: LocalPostgresOptions): Promise<{
  readonly url: string;
  readonly pid: number;
  readonly logFile: string;
  stop(): Promise<boolean>;
}>;
export function stopPostgres(options?: LocalPostgresOptions): Promise<boolean>;
