import { itemKey, type ProposalItem, type ToolResult } from '@latch/contracts';
import { readToolResult } from '@latch/outcome';
import { type AuthorizedTool } from './authorize.ts';
import { callStep, type Run } from './call-step.ts';
import { type Ending, type ExecutorParts } from './execute-invocation.ts';

/** A question what became of a call, as the declared tool answered it for the call as a whole. */
export type AskedWhole = { readonly run: Run; readonly target: AuthorizedTool; readonly whole: Ending };

/** Items asked for at the same time. */
const maxParallel = 4;

/**
 * Asks item by item what became of a call, where the reconcile tool knows nothing of the call as a whole: a workflow that fans out calls under the keys of its
 * items, and never under its own. What is found is evidence of that item; an item of which nothing is found while others are stays unknown, because its call
 * may still be running. Where no item is found the answer stays the first one: nothing is known under any key, and the engine judges that.
 *
 * @returns null when another instance has taken the invocation over.
 */
export async function reconcileItems(asked: AskedWhole, parts: ExecutorParts): Promise<Ending | null> {
  const { run, whole } = asked;
  const { approved } = run.work;
  const items = approved.invocation.items ?? [];
  if (approved.purpose !== 'reconcile' || items.length === 0) return whole;
  if (readCall(run, whole, items).empty !== true) return whole;
  const readings: ItemAnswer[] = [];
  for (let from = 0; from < items.length; from += maxParallel) {
    const answers = await Promise.all(items.slice(from, from + maxParallel).map((item) => askFor(item, asked, parts)));
    if (answers.includes(null)) return null;
    readings.push(...answers.filter((answer) => answer !== null));
  }
  const { attempts } = run.journal;
  if (readings.every(({ result }) => result.ok && result.empty === true)) return { ...whole, attempts };
  const results = readings.map(toEntry);
  return { outcome: { kind: 'result', result: { structuredContent: { results } } }, attempts };
}

type ItemAnswer = { readonly item: ProposalItem; readonly result: ToolResult };

async function askFor(
  item: ProposalItem,
  { run, target }: AskedWhole,
  parts: ExecutorParts,
): Promise<ItemAnswer | null> {
  const { approved } = run.work;
  const key = typeof item['item_key'] === 'string' ? item['item_key'] : itemKey(approved.idempotencyKey, item.id);
  const { idempotencyArgument } = target.tool.mapping;
  const given = approved.invocation.arguments;
  const ending = await callStep(
    {
      id: `item:${item.id}`,
      target,
      arguments: idempotencyArgument === null ? given : { ...given, [idempotencyArgument]: key },
      idempotencyKey: key,
      isMutating: false,
    },
    run,
    parts,
  );
  return ending === null ? null : { item, result: readCall(run, ending, [item]) };
}

function readCall({ work }: Run, { outcome, attempts }: Ending, items: readonly ProposalItem[]): ToolResult {
  const { invocation, invocationId } = work.approved;
  const asked = { ...invocation, items: [...items] };
  return readToolResult({
    invocation_id: invocationId,
    invocation: asked,
    outcome,
    attempts: [...attempts],
    latency_ms: 0,
  });
}

/** The first answer is that of the item's own call, so its success is the item's; a failure to ask says nothing of the item. */
function toEntry({ item, result }: ItemAnswer): Readonly<Record<string, unknown>> {
  const named = { id: item.id, name: item.label };
  if (!result.ok || result.empty === true) return { ...named, outcome: 'unknown', reason: 'no_evidence' };
  const [own] = result.items ?? [];
  if (own === undefined || own.outcome === 'unknown') return { ...named, outcome: 'unknown', reason: 'no_evidence' };
  return {
    ...named,
    success: own.outcome === 'succeeded',
    ...(own.reason === null || own.reason === undefined ? {} : { reason: own.reason }),
    ...(own.protocol === null || own.protocol === undefined ? {} : { protocol: own.protocol }),
  };
}
