import { type ConversationAppend } from './conversation-append.ts';
import { chainEvents } from './hash-chain.ts';
import { versionConflict } from './store-errors.ts';
import { type LoadedConversation } from './stored-conversation.ts';

/** One conversation's part of a batch, with its events chained to the head that was loaded. */
export type ChainedAppend = Omit<ConversationAppend, 'events'> & {
  readonly streamId: string;
  readonly events: ReturnType<typeof chainEvents>;
  readonly head: { readonly version: number; readonly hash: string };
};

/**
 * Chains what was decided for a conversation to the head that was loaded.
 *
 * @throws RetryableError when the decision was based on another version.
 */
export function chainAppend(loaded: LoadedConversation | undefined, conversation: ConversationAppend): ChainedAppend {
  const { conversationKey, expectedVersion } = conversation;
  if (!loaded) throw new TypeError(`Conversation ${conversationKey} was neither claimed nor loaded in this batch`);
  if (loaded.version !== expectedVersion) {
    throw versionConflict(`${conversationKey} is at ${loaded.version}, not at the expected ${expectedVersion}`);
  }
  const events = chainEvents(loaded.streamId, { version: loaded.version, hash: loaded.headHash }, conversation.events);
  const last = events.at(-1);
  const head = { version: last?.version ?? loaded.version, hash: last?.hash ?? loaded.headHash };
  return { ...conversation, streamId: loaded.streamId, events, head };
}
