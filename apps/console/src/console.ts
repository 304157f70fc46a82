import { type ReadApi } from '@latch/read-api';
import { type LiveView } from './live-view.ts';
import { type Page } from './page.ts';
import { type SignalStreams } from './signal-streams.ts';

/** Everything that the controllers of one console share. It reads, and writes nothing anywhere. */
export type Console = {
  readonly reads: ReadApi;
  readonly view: LiveView;
  readonly streams: SignalStreams;
  readonly page: Page;
};

/** Injection token of `Console`. */
export const consoleToken = Symbol('console');
