/** Types of processes.mjs for the TypeScript side. */
export const checkoutFolder: string;
export function isAlive(pid: number): boolean;
export function stopProcess(pid: number, options?: { graceMs?: number }): Promise<void>;
export function waitUntil(
  check: () => boolean | Promise<boolean>,
  options: { timeoutMs: number; everyMs?: number },
): Promise<boolean>;
export function isAccepting(port: number): Promise<boolean>;
export function freePort(): Promise<number>;
export function lastLines(file: string, count?: number): string;
export function run(
  command: string,
  args: readonly string[],
  options?: { timeoutMs?: number; cwd?: string },
): Promise<{ code: number; output: string }>;
