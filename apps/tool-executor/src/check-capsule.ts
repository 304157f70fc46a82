import { invocationDigest, type StructuredError, type ToolInvocation } from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';

/** A refusal by the executor: nothing was called. */
export type Refusal = StructuredError & { readonly code: string };

/**
 * Compares the record that woke the executor with what the engine approved (invariants I3 to I5): the same call, item by item, for the same tenant,
 * agent and transaction, in the same revision and under the same key. The record itself is never executed, so a forged one has no effect; this tells
 * that there was one.
 *
 * @returns why it is refused, or null when it is the approved call.
 */
export function checkCapsule(record: ToolInvocation, approved: ApprovedInvocation | undefined): Refusal | null {
  if (approved === undefined) {
    return refusal('tool.unknown_invocation', 'The event store knows no such approved call.');
  }
  if (approved.isErased) return erasedRefusal;
  const different = differencesOf(record, approved);
  return different.length === 0
    ? null
    : refusal('tool.capsule_mismatch', `The record differs from what was approved: ${different.join(', ')}.`);
}

/** Whether an approval may no longer be begun. Both instants are the database's. A call for a person who was erased has no arguments any more. */
export function checkExpiry(
  { expiresAt, isErased }: Pick<ApprovedInvocation, 'expiresAt' | 'isErased'>,
  now: string,
): Refusal | null {
  if (isErased) return erasedRefusal;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.parse(now);
  return isExpired ? refusal('tool.expired', 'The approval expired before the call began.') : null;
}

const erasedRefusal = refusal('tool.expired', 'The personal data of this call was erased: it cannot be made any more.');

function differencesOf(record: ToolInvocation, approved: ApprovedInvocation): readonly string[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['tenant_id', record.tenant_id, approved.tenantId],
    ['agent_id', record.agent_id, approved.agentId],
    ['tool_name', record.tool_name, approved.tool],
    ['transaction_id', record.transaction_id, approved.transactionId],
    ['rev', record.rev, approved.rev],
    ['purpose', record.purpose, approved.purpose],
    ['proposal_id', record.proposal_id ?? null, approved.proposalId],
    ['idempotency_key', record.idempotency_key ?? approved.idempotencyKey, approved.idempotencyKey],
    ['arguments or items', digestOf(record), approved.digest],
  ];
  return pairs.filter(([, given, expected]) => given !== expected).map(([name]) => name);
}

/** What cannot be digested, such as a record that nests too deeply, is not what was approved. */
function digestOf(record: ToolInvocation): string {
  try {
    return invocationDigest(record);
  } catch {
    return 'none';
  }
}

function refusal(code: Refusal['code'], message: string): Refusal {
  return { errorCategory: 'permission', isRetryable: false, message, code };
}
