import { type CallProgress } from './mcp-call.ts';

const gapMs = 100;

/** Hands on what grows, and not more often than every 100 ms: a server that floods its client with progress must not flood whoever is told of it. */
export function rarely(onProgress: (progress: CallProgress) => void): (progress: CallProgress) => void {
  let last = -Infinity;
  let toldAt = -Infinity;
  return ({ progress, total, message }) => {
    const now = performance.now();
    const isFirstEnd = total !== undefined && progress >= total && last < total;
    if (progress <= last || (now - toldAt < gapMs && !isFirstEnd)) return;
    last = progress;
    toldAt = now;
    onProgress({ progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) });
  };
}
