import { canonicalJson, type ConversationKey } from '@latch/contracts';
import { type EventStore, isErased } from '@latch/event-store';
import { type Logger, type Metrics, repeat } from '@latch/observability';
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
  let looksAt: ConversationKey | undefined;
  const round = async (): Promise<void> => {
    const [next] = noted.values();
    if (next === undefined) return;
    looksAt = next.conversationKey;
    noted.delete(looksAt);
    await check(parts, next);
  };
  const onError = (error: unknown): void => {
    parts.logger.warn('state.not_checked', { error, conversation_key: looksAt });
  };
  const stop = repeat({ round, everyMs: parts.everyMs ?? 15_000, waitsFirst: true, onError });
  return {
    note: (identity) => {
      if (noted.size < mostNoted) noted.set(identity.conversationKey, identity);
    },
    stop,
  };
}

async function check({ store, metrics, logger }: FoldCheckParts, identity: ConversationIdentity): Promise<void> {
  const { tenantId, conversationKey } = identity;
  const stored = await store.readConversation(tenantId, conversationKey);
  if (!stored || stored.version > mostEvents || isErased(stored.state)) return;
  const events = await store.readEvents({ tenantId, key: conversationKey, after: 0, limit: stored.version });
  const facts = events.map(({ payload }) => payload);
  if (events.some(({ isErased: isGone }) => isGone === true) || !facts.every(isTransactionEvent)) return;
  if (canonicalJson(rebuildState(initialState(identity), facts)) === canonicalJson(stored.state)) return;
  metrics.foldMismatch.inc({});
  logger.error('state.differs_from_fold', { conversation_key: conversationKey, version: stored.version });
}
