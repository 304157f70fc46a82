import { type ReplayProgress } from '@latch/replay';

/** Where a bar is drawn: standard error, when a person looks at it. */
type Terminal = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };

const everyMs = 100;

/**
 * A progress bar in one line of the terminal; nothing where no terminal is. The line is taken away at the end, so that what was found stands alone.
 */
export function progressBar(
  total: number,
  terminal: Terminal = process.stderr,
): { show(progress: ReplayProgress): void; done(): void } {
  if (terminal.isTTY !== true) return { show: () => undefined, done: () => undefined };
  const begin = performance.now();
  let last = -everyMs;
  return {
    show: (progress) => {
      const now = performance.now();
      if (now - last < everyMs) return;
      last = now;
      const width = (terminal.columns ?? 80) - 1;
      terminal.write(`\r${barText(progress, { total, seconds: (now - begin) / 1000 }).slice(0, width)}\u001b[K`);
    },
    done: () => void terminal.write('\r\u001b[K'),
  };
}

const cells = 24;

/** The text of a bar: how much is done, and how fast. */
export function barText(
  { conversations, events }: ReplayProgress,
  { total, seconds }: { readonly total: number; readonly seconds: number },
): string {
  const share = total > 0 ? Math.min(1, conversations / total) : 1;
  const filled = Math.floor(share * cells);
  const bar = `${'#'.repeat(filled)}${'.'.repeat(cells - filled)}`;
  const rate = seconds > 0 ? Math.round(events / seconds) : 0;
  const left = share > 0 && share < 1 ? `, ${Math.ceil((seconds / share) * (1 - share))} s left` : '';
  const counts = `${conversations.toLocaleString('en')} of ${total.toLocaleString('en')} conversations`;
  return `[${bar}] ${Math.floor(share * 100)} %  ${counts}, ${rate.toLocaleString('en')} events/s${left}`;
}
