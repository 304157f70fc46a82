/** Types of processes.mjs, for the TypeScript that handles local processes. */
export const checkoutFolder: string;
export function isAlive(pid: number): boolean;
export function commandOf(pid: number): string;
export function stopProcess(pid: number, options?: { readonly graceMs?: number }): Promise<void>;
export function waitUntil(
  check: () => boolean | Promise<boolean>,
  options: { readonly timeoutMs: number; readonly everyMs?: number },
): Promise<boolean>;
export function isAccepting(port: number): Promise<boolean>;
export function assertPortIsFree(port: number, of: { readonly of: string; readonly option: string }): Promise<void>;
export function freePort(): Promise<number>;
export function lastLines(file: string, count?: number): string;
export function withLock<T>(
  file: string,
  options: { readonly timeoutMs?: number; readonly onWait?: (owner: number) => void },
  work: () => Promise<T>,
): Promise<T>;
export function run(
  command: string,
  args: readonly string[],
  options?: { readonly timeoutMs?: number; readonly cwd?: string },
): Promise<{ readonly code: number; readonly output: string }>;
