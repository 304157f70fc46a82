import { type Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** A way to one server, for one session. */
export type Connection = {
  readonly transport: Transport;
  /** The session's id; undefined where the server keeps none. */
  id(): string | undefined;
  /** Whether a server that does not answer in time is to be left and met anew. */
  readonly endsOnTimeout: boolean;
  /** Says goodbye to the server. */
  end(): Promise<void>;
};
