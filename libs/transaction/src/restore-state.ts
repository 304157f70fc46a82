import { isRecord } from '@latch/contracts';
import { type ConversationIdentity, type ConversationState, initialState, type OpenTransaction } from './state.ts';

/**
 * The state of a conversation from its stored snapshot. No snapshot is a new conversation. A snapshot that cannot be (damaged, from a newer version, or of
 * another conversation) is not silently started anew: the state says what is wrong, and the next turn gets a controlled answer (seeds/002 section 7).
 */
export function restoreState(identity: ConversationIdentity, stored: unknown): ConversationState {
  if (stored === null || stored === undefined) return initialState(identity);
  const problem = problemOf(identity, stored);
  if (problem === null && isState(stored)) return stored;
  return { ...initialState(identity), inconsistency: problem ?? 'the stored state cannot be read' };
}

function problemOf(identity: ConversationIdentity, stored: unknown): string | null {
  if (!isRecord(stored)) return 'the stored state is not an object';
  if (stored['stateVersion'] !== 1) return `the stored state has version ${String(stored['stateVersion'])}, not 1`;
  if (stored['conversationKey'] !== identity.conversationKey) return 'the stored state belongs to another conversation';
  const { transaction } = stored;
  if (transaction === null) return null;
  if (!isRecord(transaction)) return 'the stored state has a status without a transaction';
  const fields = requiredFields[String(transaction['status'])];
  if (!fields) return `the open transaction has the status ${String(transaction['status'])}`;
  const missing = fields.filter((field) => !(field in transaction));
  return missing.length === 0 ? null : `the open transaction lacks ${missing.join(', ')}`;
}

const coreFields = ['id', 'tool', 'arguments', 'rev', 'configDigest'];

/** What each open status cannot be without. */
const requiredFields: Readonly<Record<string, readonly string[] | undefined>> = {
  COLLECTING_PARAMETERS: [...coreFields, 'missing', 'reopened'],
  PRE_VALIDATION: [...coreFields, 'call'],
  AWAITING_CONFIRMATION: [...coreFields, 'proposal'],
  EXECUTING: [...coreFields, 'call'],
  OUTCOME_UNKNOWN: [...coreFields, 'call'],
} satisfies Record<OpenTransaction['status'], readonly string[]>;

function isState(stored: unknown): stored is ConversationState {
  return isRecord(stored) && Array.isArray(stored['parked']) && Array.isArray(stored['unresolved']);
}
