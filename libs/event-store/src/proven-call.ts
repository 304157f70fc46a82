import { type ToolResult } from '@latch/contracts';

/** What the events prove of a call that the engine approved. */
export type ProvenCall = {
  readonly invocationId: string;
  /** The result as it was recorded, and the version of the event that holds it; null: none was. Then nobody but the executor knows how far the call came. */
  readonly outcome: { readonly result: ToolResult; readonly sequence: number } | null;
  /** Whether the engine still waits for how this call ended, and the call may have an effect. */
  readonly isAwaited: boolean;
};
