import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** A program to run as an MCP server. */
export type ServerCommand = {
  readonly command: string;
  readonly args: readonly string[];
  /** All that it gets to see of the environment. */
  readonly environment: Readonly<Record<string, string>>;
};

/** How long a server has to end by itself, after its input was closed and again after SIGTERM, in milliseconds. */
const graceMs = 500;

/**
 * Starts a server in a process group of its own, so that it can be ended with all that it started.
 *
 * @throws (rejects) when the program cannot be started.
 */
export async function startServer({ command, args, environment }: ServerCommand): Promise<ServerProcess> {
  const child = spawn(command, [...args], {
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    shell: false,
    windowsHide: true,
  });
  const started = new ServerProcess(child);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return started;
}

/** A running server. */
export class ServerProcess {
  /** Resolves when it has ended, with how: "code 1", "signal SIGKILL". What it wrote before has been read by then. */
  readonly ended: Promise<string>;
  private hasEnded = false;

  constructor(readonly child: ChildProcessWithoutNullStreams) {
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: string | null): void => {
        this.hasEnded = true;
        resolve(signal === null ? `code ${code ?? 'unknown'}` : `signal ${signal}`);
      };
      child.once('close', end);
      // Something that it started may hold its output open for ever.
      child.once('exit', (code, signal) => void setTimeout(() => end(code, signal), graceMs).unref());
      child.once('error', () => end(null, null));
    });
    child.stdin.on('error', () => undefined);
  }

  /** Asks it to end by closing its input, then with SIGTERM, then ends it and all that it started. */
  async end(): Promise<void> {
    this.child.stdin.end();
    if (await this.endsWithin(graceMs)) return this.kill('SIGKILL');
    this.kill('SIGTERM');
    await this.endsWithin(graceMs);
    this.kill('SIGKILL');
    await this.ended;
  }

  /** Ends it at once. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch {
      // Gone already.
    }
  }

  private async endsWithin(ms: number): Promise<boolean> {
    const timer = new AbortController();
    const late = new Promise<void>((resolve) => {
      const timeout = setTimeout(resolve, ms);
      timer.signal.addEventListener('abort', () => clearTimeout(timeout));
    });
    await Promise.race([this.ended, late]);
    timer.abort();
    return this.hasEnded;
  }
}
