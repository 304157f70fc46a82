import { type ComponentHealth } from '@latch/observability';

/** Sweeps that may be missed before calls that nobody has in hand are taken for stuck. */
const missedSweeps = 3;
/** A sweep itself may take as long as the database lets a statement run. */
const sweepMs = 15_000;

/**
 * Whether the executor does its work, for `/ready`: it is started, it does not stop, and it looks for calls that others left. How much it has in hand is told beside.
 */
export class Vitals {
  private sweptAt: number | null = null;
  private isStopping = false;

  constructor(
    private readonly sweepEveryMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A sweep for calls that others left has succeeded. */
  swept(): void {
    this.sweptAt = this.now();
  }

  /** No call is begun any more. */
  stop(): void {
    this.isStopping = true;
  }

  /** @param load the calls in hand. */
  report({ running, waiting }: { readonly running: number; readonly waiting: number }): ComponentHealth {
    if (this.isStopping) return { ok: false, detail: 'stopping: no call is begun any more' };
    if (this.sweptAt === null) return { ok: false, detail: 'starting: the ledger was not read yet' };
    const silentMs = this.now() - this.sweptAt;
    if (silentMs > missedSweeps * this.sweepEveryMs + sweepMs)
      return { ok: false, detail: `the ledger was not read for ${Math.round(silentMs / 1000)} s` };
    return { ok: true, detail: `${running} running, ${waiting} waiting` };
  }
}
