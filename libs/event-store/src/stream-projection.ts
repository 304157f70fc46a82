import { type AnswerOrder } from './align-answer.ts';
import { type ApprovedInvocation, type TransactionRow, type TurnRow } from './conversation-append.ts';
import { type ProvenCall } from './proven-call.ts';
import { type StoredStream } from './read-streams.ts';

/** What the events of one stream say the projections must hold. */
export type StreamProjection = {
  /** Who spoke last, as in `ConversationAppend`: what is personal is sealed under the key of this person. */
  readonly person?: string | null;
  /** Every transaction of the stream as it is now; whatever else is stored of the stream goes. */
  readonly transactions: readonly TransactionRow[];
  /** Turns: one that is not there, or has no answer yet, is stored; an answer that is there stays byte for byte (invariant I2). */
  readonly turns?: readonly TurnRow[];
  /** Turns that were recorded before the digest of their request was: nobody can say what it has to be. */
  readonly withoutDigest?: ReadonlySet<string>;
  /** Turns whose answer the events tell but for the order in which it lists something, or but for its text. */
  readonly answers?: ReadonlyMap<string, AnswerOrder>;
  /** Calls that the engine approved: one that is not there is stored, so that no repeat of its record is refused, and none runs unapproved. */
  readonly invocations?: readonly ApprovedInvocation[];
  /** What the events prove of each of them. */
  readonly calls?: readonly ProvenCall[];
  /** When each turn came and each call was approved, by their ids. */
  readonly begunAt?: ReadonlyMap<string, string>;
};

/** Makes the projection of a stream from its events; pure but for configurations that it may load. Null: it cannot be made, as of an erased conversation. */
export type Projector = (stream: StoredStream) => Promise<StreamProjection | null> | StreamProjection | null;
