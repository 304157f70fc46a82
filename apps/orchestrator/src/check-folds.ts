import { canonicalJson, type ConversationKey } from '@latch/contracts';
import { type EventStore, isErased } from '@latch/event-store';
import { type Logger, type Metrics } from '@latch/observability';
import { type ConversationIdentity, initialState, isTransactionEvent, rebuildState } from '@latch/transaction';

/** What checking needs. */
export type FoldCheckParts = {
  readonly store: Pick<EventStore, 'readConversation' | 'readEvents'>;
  readonly metrics: Pick<Metrics, 'foldMismatch'>;
  readonly logger: Logger;
  /** Between two checks, in milliseconds. @default 15_000 */
  readonly everyMs?: number;
};

/** Checks conversations while the service runs. */
export type FoldChecks = {
  /** A conversation that may be looked at. */
  note(identity: ConversationIdentity): void;
  stop(): Promise<void>;
};

/** Conversations of which the next one is taken. */
const mostNoted = 64;
/** Longer streams are checked by `latch replay rebuild`. */
const mostEvents = 1_000;

/**
 * Compares now and then, for one of the conversations that were just decided, what is stored with the fold of its events (invariant I6): a difference is a bug, or
 * somebody wrote to the tables. One conversation a time, of bounded length: a sample that costs nothing, not a proof; that is `latch replay rebuild`.
 */
export function startFoldChecks(parts: FoldCheckParts): FoldChecks {
  const noted = new Map<ConversationKey, ConversationIdentity>();
  parts.metrics.foldMismatch.inc({}, 0);
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    const [next] = noted.values();
    if (next === undefined) return;
    noted.delete(next.conversationKey);
    running = running.then(() => check(parts, next));
  }, parts.everyMs ?? 15_000);
  return {
    note: (identity) => {
      if (noted.size < mostNoted) noted.set(identity.conversationKey, identity);
    },
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}

async function check({ store, metrics, logger }: FoldCheckParts, identity: ConversationIdentity): Promise<void> {
  const { tenantId, conversationKey } = identity;
  try {
    const stored = await store.readConversation(tenantId, conversationKey);
    if (!stored || stored.version > mostEvents || isErased(stored.state)) return;
    const events = await store.readEvents({ tenantId, key: conversationKey, after: 0, limit: stored.version });
    const facts = events.map(({ payload }) => payload);
    if (events.some(({ isErased: isGone }) => isGone === true) || !facts.every(isTransactionEvent)) return;
    if (canonicalJson(rebuildState(initialState(identity), facts)) === canonicalJson(stored.state)) return;
    metrics.foldMismatch.inc({});
    logger.error('state.differs_from_fold', { conversation_key: conversationKey, version: stored.version });
  } catch (error) {
    logger.warn('state.not_checked', { error, conversation_key: conversationKey });
  }
}
