import { type BusMessage, type ConversationKey } from '@latch/contracts';
import { type LoadedConversation, type StoreTransaction } from '@latch/event-store';
import { type AgentConfigs } from './agent-configs.ts';
import { appendRefusal, localeOf } from './set-aside.ts';
import { type TurnWork, type Work } from './work.ts';

/** Turns that an operator has sent again are handled alone, in their place: whether one was overtaken depends on all that was handled before it. */
export function redrivenApart(work: readonly Work[]): readonly (readonly Work[])[] {
  const parts: Work[][] = [];
  let together: Work[] | undefined;
  for (const unit of work) {
    if (isRedrivenTurn(unit)) {
      parts.push([unit]);
      together = undefined;
      continue;
    }
    if (together === undefined) parts.push((together = []));
    together.push(unit);
  }
  return parts;
}

type Surroundings = {
  readonly loaded: ReadonlyMap<ConversationKey, LoadedConversation>;
  readonly configs: AgentConfigs;
};

/**
 * Refuses a turn that was sent again when its conversation had gone on without it: a yes of last week is no yes to what is asked today (invariant I4). Whoever said
 * it is answered that nothing was done. The conversation is locked, so that nothing comes between the look and the refusal.
 *
 * @returns the answer, or null where there is no such turn, or nothing has overtaken it.
 */
export async function refuseOvertaken(
  tx: StoreTransaction,
  fresh: readonly Work[],
  { loaded, configs }: Surroundings,
): Promise<BusMessage | null> {
  const [work] = fresh;
  if (work === undefined || !isRedrivenTurn(work)) return null;
  const { identity, request, redriven } = work;
  const { tenantId, conversationKey } = identity;
  const person = request.payload.user_id ?? null;
  const overtaking = await tx.findOvertaking({ tenantId, conversationKey, person, acceptedAt: redriven.acceptedAt });
  if (overtaking === null) return null;
  const reason = { code: 'turn.overtaken', locale: localeOf(configs, work) };
  return appendRefusal(tx, work, { ...reason, loaded: loaded.get(conversationKey) });
}

type RedrivenTurn = TurnWork & { readonly redriven: NonNullable<TurnWork['redriven']> };

function isRedrivenTurn(unit: Work): unit is RedrivenTurn {
  return unit.kind === 'turn' && unit.redriven !== undefined;
}
