import {
  type EvidenceBundle,
  type EvidenceReceipt,
  invocationDigest,
  itemKey,
  type ToolInvocation,
} from '@latch/contracts';
import { isErased } from '@latch/event-store';
import { type PendingCall } from '@latch/transaction';
import { factsOfBundle, factsOfType } from './facts-of-bundle.ts';
import { isSame, unless, when } from './finding.ts';

/** What is wrong with the call as a receipt shows it, twice, against the fact that approved it. */
export function invocationProblems(
  receipt: EvidenceReceipt,
  call: PendingCall,
  bundle: EvidenceBundle,
): readonly string[] {
  const { invocation, execution, approved_digest: approved } = receipt;
  if (isErased(call.arguments))
    return unless(isSame(invocation, whatIsLeft(call, bundle)), 'it says of an erased call what no event holds');
  return [
    ...unless(invocationDigest(invocation) === approved, 'its approval has another digest'),
    ...whole(invocation, call, bundle),
    ...when(execution !== null && !isSame(execution.invocation, invocation), 'what was sent is not what was approved'),
  ];
}

/** An erased invocation, as a bundle shows it. */
function whatIsLeft(call: PendingCall, { tenant_id, agent_id }: EvidenceBundle): unknown {
  return { tenant_id, agent_id, tool_name: call.tool, arguments: call.arguments };
}

/** Everything of an invocation that an event holds; what it may lack says nothing. */
function whole(invocation: ToolInvocation, call: PendingCall, bundle: EvidenceBundle): readonly string[] {
  const { items = [] } = invocation;
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['invocation_id', invocation.invocation_id, call.invocationId],
    ['transaction_id', invocation.transaction_id, bundle.transaction_id],
    ['rev', invocation.rev, call.rev],
    ['purpose', invocation.purpose, call.purpose],
    ['proposal_id', invocation.proposal_id, call.proposalId],
    ['idempotency_key', invocation.idempotency_key, call.idempotencyKey],
    ['tool_schema_hash', invocation.tool_schema_hash, call.toolSchemaHash ?? null],
    ['expires_at', invocation.expires_at, call.expiresAt],
    ['trace_id', invocation.metadata?.trace_id, call.traceId],
  ];
  const { operation_type: operation } = invocation;
  return [
    ...unless(operation === undefined || mayBe(operation, call, bundle), 'it has another kind of effect'),
    ...unless(invocation.tenant_id === bundle.tenant_id, 'it is a call for another tenant'),
    ...unless(invocation.agent_id === bundle.agent_id, 'it is a call for another agent'),
    ...unless(invocation.tool_name === call.tool, 'it is a call of another tool'),
    ...unless(isSame(invocation.arguments, call.arguments), 'it has other arguments than were approved'),
    ...unless(isSame(items.map(withoutKey), call.items), 'it has other items than were approved'),
    ...unless(
      items.every((item) => hasItsKey(item, keyOf(call, bundle))),
      'an item has another key',
    ),
    ...pairs
      .filter(([, is, should]) => is !== undefined && is !== should)
      .map(([name]) => `its ${name} is not that of its approval`),
  ];
}

type Item = NonNullable<ToolInvocation['items']>[number];

function withoutKey({ item_key: _key, ...item }: Item): unknown {
  return item;
}

function hasItsKey(item: Item, key: string | null): boolean {
  const told = item['item_key'];
  return told === undefined || (key !== null && told === itemKey(key, item.id));
}

/** An item keeps the key of the first call that was ever made for it. */
function keyOf(call: PendingCall, bundle: EvidenceBundle): string | null {
  const started = factsOfType(factsOfBundle(bundle), 'TransactionStarted');
  const own = started.find(({ fact }) => fact.transactionId === bundle.transaction_id)?.fact;
  return own?.lineage?.idempotencyKey ?? call.idempotencyKey;
}

/** Only an execution may have an effect; which, a configuration says. */
function mayBe(operation: unknown, call: PendingCall, { configurations = [] }: EvidenceBundle): boolean {
  if (call.purpose !== 'execution') return operation === 'read_only';
  return configurations.some((agent) => {
    const tool: unknown = Reflect.get(Object(agent['tools']), call.tool);
    return Reflect.get(Object(tool), 'operationType') === operation;
  });
}
