/** Work that a service does again and again beside what it is asked for. */
export type Repetition = {
  /** One round. Of a round of many pieces, `isStopped` says that no further one is to be begun. */
  readonly round: (isStopped: () => boolean) => Promise<void>;
  /** From the end of a round to the start of the next one, in milliseconds: rounds neither overlap nor pile up. */
  readonly everyMs: number;
  /** Whether the first round waits as long too. @default false: it starts at once */
  readonly waitsFirst?: boolean;
  /** Told of a round that failed; the next one is made all the same. */
  readonly onError: (error: unknown) => void;
};

/**
 * Repeats a round until it is stopped.
 *
 * @returns a function that stops it and waits for the round that is running.
 */
export function repeat({ round, everyMs, waitsFirst = false, onError }: Repetition): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const start = (): void => {
    running = round(() => isStopped)
      .catch(onError)
      .then(wait);
  };
  const wait = (): void => {
    if (!isStopped) timer = setTimeout(start, everyMs);
  };
  if (waitsFirst) wait();
  else start();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return running;
  };
}
