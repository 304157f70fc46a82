import { digest, ProposalId, type ToolConfig } from '@latch/contracts';
import { type EffectiveSet, effectiveSetOf, spells } from './items.ts';
import { mapArguments } from './map-arguments.ts';
import { type ReplySlot, type ShownValue } from './reply.ts';
import {
  type Arguments,
  type ConversationIdentity,
  type Proposal,
  type ProposalReason,
  type TransactionCore,
} from './state.ts';

/** The final arguments of a transaction: collected and mapped, with what the validator resolved on top. */
export function finalArguments(tool: ToolConfig, transaction: TransactionCore): Arguments {
  const mapped = mapArguments(tool, transaction.arguments, transaction.businessContext);
  return { ...mapped, ...resolvedArguments(tool, transaction) };
}

/**
 * What the validator may set: parameters that the tool declares, which the question shows, and `items`, whose entries it names (seeds/000 section 3). Anything
 * else it says is data and is not sent (invariant I14).
 */
function resolvedArguments(tool: ToolConfig, { preValidation }: TransactionCore): Arguments {
  const resolved = Object.entries(preValidation?.resolvedArguments ?? {});
  return Object.fromEntries(
    resolved.filter(
      ([name, value]) => Object.hasOwn(tool.parameters, name) || (name === 'items' && Array.isArray(value)),
    ),
  );
}

/** Freezes what is about to be shown into a proposal. */
export function propose(of: {
  readonly identity: ConversationIdentity;
  readonly tool: ToolConfig;
  readonly transaction: TransactionCore;
  readonly configDigest: string;
  readonly expiresAt: string;
}): Proposal {
  const { tool, transaction } = of;
  const args = finalArguments(tool, transaction);
  const set = effectiveSetOf(tool, args);
  const content = {
    rev: transaction.rev + 1,
    tool: tool.name,
    toolSchemaHash: tool.schemaHash ?? null,
    arguments: args,
    message: transaction.preValidation?.confirmationMessage ?? null,
    values: shownValues(tool, args, set),
    configDigest: of.configDigest,
    principal: transaction.userId,
    expiresAt: of.expiresAt,
    ...set,
  };
  return { proposalId: capsule(of.identity, transaction, content), ...content };
}

/**
 * The confirmation capsule: the digest of everything that a yes approves (DESIGN section 12). Whoever recomputes it over what is about to be sent, and
 * finds another value, must refuse.
 */
export function capsule(
  identity: ConversationIdentity,
  transaction: Pick<TransactionCore, 'id'>,
  content: Omit<Proposal, 'proposalId'>,
): ProposalId {
  return ProposalId.parse(
    digest({
      tenant: identity.tenantId,
      agent: identity.agentId,
      conversation: identity.conversationKey,
      principal: content.principal,
      transaction: transaction.id,
      rev: content.rev,
      tool: content.tool,
      tool_schema_hash: content.toolSchemaHash,
      arguments: content.arguments,
      items: content.items,
      config: content.configDigest,
      expires_at: content.expiresAt,
      shown: { message: content.message, values: content.values, rejected: content.rejected },
    }),
  );
}

/** A transaction and the configuration of its tool. */
export type TransactionOfTool = { readonly tool: ToolConfig; readonly transaction: TransactionCore };

/** The question, as facts: exactly what the capsule holds. */
export function confirmationSlot(
  toolLabel: string,
  proposal: Proposal,
  why: ProposalReason | 'unclear',
): Extract<ReplySlot, { readonly kind: 'ask_confirmation' }> {
  return {
    kind: 'ask_confirmation',
    toolLabel,
    message: proposal.message,
    items: proposal.items.map(({ label }) => ({ label })),
    rejected: proposal.rejected,
    values: proposal.values,
    why,
  };
}

/** What a transaction is about, in the declared parameters' own labels: what its question shows and its outcome repeats. */
export function valuesOf({ tool, transaction }: TransactionOfTool): readonly ShownValue[] {
  const args = finalArguments(tool, transaction);
  return shownValues(tool, args, effectiveSetOf(tool, args));
}

/** The declared parameters with their values; those that only spell the items out are not said twice. */
function shownValues(tool: ToolConfig, args: Arguments, set: EffectiveSet): readonly ShownValue[] {
  return Object.values(tool.parameters)
    .filter(({ name }) => args[name] !== undefined && !spells(args[name], set))
    .map(({ name, label }) => ({ label, value: args[name] }));
}
