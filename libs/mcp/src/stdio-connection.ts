import { type Connection } from './connection.ts';
import { type StdioTarget, StdioTransport } from './stdio-transport.ts';

/** A connection to a server that is a process of its own. A process that hangs is not met again: the next call starts another one. */
export function connectStdio(target: StdioTarget): Connection {
  return {
    transport: new StdioTransport(target),
    id: () => undefined,
    endsOnTimeout: true,
    end: () => Promise.resolve(),
  };
}
