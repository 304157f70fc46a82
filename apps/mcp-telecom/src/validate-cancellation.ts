import { type Resolved } from './resolve-services.ts';
import { type TelecomState } from './telecom-state.ts';

/** One item as the validator leaves it; `eligible` is told only where the items differ in it (seeds/000 section 3). */
export type ValidatedItem = {
  readonly name: string;
  readonly id?: string;
  readonly eligible?: boolean;
  readonly reason?: string;
  readonly alternatives?: readonly string[];
};

/** Which of the items can be cancelled. */
export type Validation = {
  readonly items: readonly ValidatedItem[];
  readonly eligible: readonly string[];
  readonly rejected: readonly ValidatedItem[];
};

/** Looks each item up without changing anything. `withIds`: whether the items of this tool carry their id. */
export function validateCancellation(state: TelecomState, resolved: readonly Resolved[], withIds: boolean): Validation {
  const checked = resolved.map((item) => checkItem(state, item, withIds));
  const rejected = checked.filter(({ reason }) => reason !== undefined);
  const isMixed = rejected.length > 0;
  return {
    items: isMixed ? checked.map((item) => ({ ...item, eligible: item.reason === undefined })) : checked,
    eligible: checked.filter(({ reason }) => reason === undefined).map(({ name }) => name),
    rejected,
  };
}

/** "A, B e C". */
export function inProse(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} e ${last}`;
}

/** The validator's verdict when nothing can be done at all. */
export function notEligible(validation: Validation, said: string): Readonly<Record<string, unknown>> {
  const reasons = validation.rejected.map(({ name, reason }) => `${name}: ${explain(reason)}`);
  const reason = reasons.length > 0 ? reasons.join('; ') : 'Nenhum serviço foi informado.';
  return { eligible: false, status: 'NOT_ELIGIBLE', subject: said, reason, items: validation.items };
}

/** The one question about everything that can be done. */
export function confirmationOf(validation: Validation): string {
  return `Você confirma o cancelamento de ${inProse(validation.eligible)}?`;
}

function checkItem(state: TelecomState, item: Resolved, withIds: boolean): ValidatedItem {
  if (item.kind === 'unknown') return { name: item.said, reason: 'item_nao_encontrado' };
  if (item.kind === 'ambiguous') return { name: item.said, reason: 'item_ambiguo', alternatives: item.alternatives };
  const { id, name } = item.service;
  const base = withIds ? { name, id } : { name };
  return state.isActive(item.service) ? base : { ...base, reason: 'ja_cancelado' };
}

function explain(reason: string | undefined): string {
  if (reason === 'ja_cancelado') return 'já está cancelado';
  return reason === 'item_ambiguo' ? 'há mais de um serviço com este nome' : 'não encontrado entre os seus serviços';
}
