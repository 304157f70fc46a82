import { deterministicId } from '@latch/contracts';
import { type Resolved } from './resolve-services.ts';
import { type TelecomState } from './telecom-state.ts';

/** What became of one item of a cancellation, in the terms of seeds/000 section 5. */
export type ItemResult = {
  readonly name: string;
  readonly id?: string;
  readonly success: boolean;
  readonly reason?: string;
  readonly message?: string;
  readonly protocol?: string;
  readonly isRetryable?: boolean;
};

/** Cancels each item on its own; one that fails leaves the others alone. */
export function cancelServices(
  state: TelecomState,
  items: readonly Resolved[],
  of: { readonly idempotencyKey: string | null; readonly itemLimit: number | null },
): ItemResult[] {
  return items.map((item, index) => {
    if (of.itemLimit !== null && index >= of.itemLimit) return notReached(item);
    return cancelOne(state, item, of.idempotencyKey);
  });
}

/** A receipt number that is the same for the same operation and item. */
export function protocolOf(prefix: string, key: string | null, item: string): string {
  const id = deterministicId(prefix, key ?? `${Date.now()}:${Math.random()}`, item);
  return `${prefix}-${id.slice(0, 8).toUpperCase()}`;
}

function cancelOne(state: TelecomState, item: Resolved, key: string | null): ItemResult {
  if (item.kind !== 'found') {
    return {
      name: item.said,
      success: false,
      reason: 'item_nao_encontrado',
      message: 'O serviço não existe no catálogo.',
    };
  }
  const { service } = item;
  const { id, name } = service;
  if (!state.isActive(service)) {
    return { id, name, success: false, reason: 'already_cancelled', message: 'O serviço já estava cancelado.' };
  }
  if (!service.isAtPartner) {
    return { id, name, success: false, reason: 'not_found', message: 'A assinatura não foi encontrada no parceiro.' };
  }
  state.cancel(service);
  return { id, name, success: true, protocol: protocolOf('CAN', key, id) };
}

function notReached(item: Resolved): ItemResult {
  const result = {
    success: false,
    reason: 'temporarily_unavailable',
    message: 'O sistema ficou indisponível.',
    isRetryable: true,
  };
  return item.kind === 'found'
    ? { id: item.service.id, name: item.service.name, ...result }
    : { name: item.said, ...result };
}
