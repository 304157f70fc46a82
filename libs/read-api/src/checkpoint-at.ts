import { type Checkpoint, digest, failure, type Result, success } from '@latch/contracts';
import { type StoredConversation } from '@latch/event-store';
import { type Refusal } from '@latch/http';
import { identityOf, type NoStateReason, stateAt } from '@latch/replay';
import { toAgentState } from '@latch/transaction';
import { mostEvents } from './explain-turn.ts';
import { type StoreReader } from './store-reader.ts';

/**
 * The Checkpoint of a conversation as it was after event `at`, folded from its events; of its latest one when `at` is left out.
 *
 * @returns `conversation.too_long` where all of it would be too much to fold at once; `conversation.version_unknown` beyond the last event; `conversation.erased` where personal data that the state would hold is gone.
 */
export async function checkpointAt(
  store: Pick<StoreReader, 'read'>,
  { tenantId, conversationKey, createdAt, version: length }: StoredConversation,
  at: number | undefined,
): Promise<Result<Checkpoint, Refusal>> {
  if (length > mostEvents) return failure({ status: 422, code: 'conversation.too_long' });
  const read = await store.read((reads) => reads.streams.one(tenantId, conversationKey));
  if (!read.ok) return read;
  if (read.value === undefined) return failure({ status: 404, code: 'conversation.unknown' });
  const { conversation, events } = read.value;
  const found = stateAt(identityOf(read.value), events, at ?? conversation.version);
  if (!found.ok) return failure(refusals[found.error]);
  const { version, state, configDigest, at: happenedAt } = found.value;
  return success({
    conversation_key: conversationKey,
    tenant_id: tenantId,
    agent_id: conversation.agentId,
    session_id: conversation.sessionId,
    version,
    state_digest: digest(state),
    config_digest: configDigest,
    state: toAgentState(state),
    updated_at: happenedAt ?? createdAt,
    contract_version: 'checkpoint-v1',
  });
}

const refusals: Readonly<Record<NoStateReason, Refusal>> = {
  unknown_version: { status: 404, code: 'conversation.version_unknown' },
  erased: { status: 410, code: 'conversation.erased' },
};
