const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when a signal is aborted; at once when it was. However many wait for one signal (all calls of a session wait for its transport's), it has one
 * listener: Node takes more than ten for a leak.
 *
 * @returns takes the callback back.
 */
export function whenAborted(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  // A callback that is given twice waits twice.
  const own = (): void => callback();
  const others = waiting.get(signal) ?? listen(signal);
  others.add(own);
  return () => void others.delete(own);
}

function listen(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  waiting.set(signal, callbacks);
  signal.addEventListener('abort', () => callbacks.forEach((callback) => callback()), { once: true });
  return callbacks;
}
