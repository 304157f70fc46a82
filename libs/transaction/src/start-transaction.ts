import { type BusinessContext, type IntentConfig, type ToolConfig, TransactionId } from '@latch/contracts';
import { advance, requestParameter } from './advance.ts';
import { type Draft, helpSlot, mintId, openedIn, record, say } from './draft.ts';
import { secondsAfter } from './instants.ts';
import { type Message } from './message.ts';
import { isSame, mergeTurn, missingParameters, type SaidValues } from './parameters.ts';
import { type Arguments, type Lineage } from './state.ts';

/** Opens a transaction for the intent that the message names, with every value that came along, and takes it as far as it goes. */
export function startIntent(draft: Draft, message: Message): Draft {
  if (message.intent === null) return say(draft, helpSlot(draft.agent));
  const { config, said } = message.intent;
  const tool = config.tool === null ? undefined : draft.agent.tools[config.tool];
  if (tool === undefined) return answerFixed(draft, config);
  if (!tool.enabled) return say(draft, { kind: 'not_eligible', toolLabel: tool.label, reason: null });
  const started = openTransaction(draft, { tool, intent: config.intent, userId: message.turn.userId, lineage: null });
  return collectAndAdvance(started, message, said);
}

/** The fixed answer of an intent that runs nothing. */
export function answerFixed(draft: Draft, config: IntentConfig): Draft {
  return say(draft, config.reply === null ? helpSlot(draft.agent) : { kind: 'fixed', text: config.reply });
}

/** A new transaction, still empty. Its id comes from the turn, so that the same turn always opens the same one. */
export function openTransaction(
  draft: Draft,
  of: {
    readonly tool: ToolConfig;
    readonly intent: string | null;
    readonly userId: string;
    readonly lineage: Lineage | null;
  },
): Draft {
  return record(draft, {
    type: 'TransactionStarted',
    transactionId: TransactionId.parse(mintId(draft, 'transaction')),
    tool: of.tool.name,
    intent: of.intent,
    userId: of.userId,
    configDigest: draft.agent.digest,
    lineage: of.lineage,
    deadlineAt: secondsAfter(draft.at, draft.agent.collectionTtlSeconds),
    startedAt: draft.at,
  });
}

/** Merges what the turn brings and goes on; a value that breaks its declaration is asked for again, after everything else was kept. */
export function collectAndAdvance(draft: Draft, message: Message, said: SaidValues): Draft {
  const { draft: collected, invalid } = collect(draft, message, said);
  const opened = openedIn(collected);
  if (opened === null) return collected;
  const missing = missingParameters(opened.tool, opened.transaction);
  const [refused] = missing.filter((name) => invalid[name] !== undefined);
  if (refused === undefined) return advance(collected, opened.transaction.rev === 0 ? 'first' : 'renewed');
  const others = missing.filter((name) => name !== refused);
  return requestParameter(collected, {
    missing: [refused, ...others],
    why: 'invalid',
    detail: invalid[refused] ?? null,
  });
}

/** Records what a turn adds to the open transaction. */
export function collect(
  draft: Draft,
  message: Message,
  said: SaidValues,
): { readonly draft: Draft; readonly invalid: Readonly<Record<string, string>> } {
  const known = mergeContext(draft, message.turn.businessContext);
  const opened = openedIn(known);
  if (opened === null) return { draft: known, invalid: {} };
  const merge = mergeTurn({ tool: opened.tool, collected: opened.transaction.arguments, said, turn: message.turn });
  // What was wrong with a value for the tool that was open before says nothing about this one.
  const invalid = said === message.said ? { ...message.invalid, ...merge.invalid } : merge.invalid;
  if (Object.keys(merge.values).length === 0) return { draft: known, invalid };
  const collected = record(known, {
    type: 'ParametersCollected',
    transactionId: opened.transaction.id,
    values: merge.values,
    sources: merge.sources,
    corrections: merge.corrections,
  });
  return { draft: collected, invalid };
}

/** The business identity is merged over turns like everything else: a later turn that leaves a key out does not take it away. */
export function mergeContext(draft: Draft, given: BusinessContext): Draft {
  const open = draft.state.transaction;
  if (open === null) return draft;
  const known: Arguments = open.businessContext;
  const news = Object.entries(given).filter(
    ([key, value]) => value !== undefined && value !== null && !isSame(known[key], value),
  );
  if (news.length === 0) return draft;
  const businessContext: BusinessContext = { ...open.businessContext, ...Object.fromEntries(news) };
  return record(draft, { type: 'BusinessContextReceived', transactionId: open.id, businessContext });
}
