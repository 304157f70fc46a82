import { type SealedPlace } from './seal-value.ts';

type Where = { readonly tenantId: string; readonly conversationKey: string };

/** Where the sealed part of an event belongs. */
export function eventPlace(of: Where & { readonly version: number; readonly type: string }): SealedPlace {
  return { tenantId: of.tenantId, stream: of.conversationKey, version: of.version, field: `event.${of.type}` };
}

/** Where the snapshot of a conversation belongs. */
export function statePlace(of: Where & { readonly version: number }): SealedPlace {
  return { tenantId: of.tenantId, stream: of.conversationKey, version: of.version, field: 'state' };
}

/** Where the answer of a turn belongs. */
export function responsePlace(of: Where & { readonly turnId: string }): SealedPlace {
  return { tenantId: of.tenantId, stream: of.conversationKey, version: of.turnId, field: 'response' };
}

/** Where arguments and items of a transaction's projection belong. */
export function detailsPlace(of: Where & { readonly id: string }): SealedPlace {
  return { tenantId: of.tenantId, stream: of.conversationKey, version: of.id, field: 'details' };
}

/** Where an approved call belongs. */
export function invocationPlace(of: Where & { readonly invocationId: string }): SealedPlace {
  return { tenantId: of.tenantId, stream: of.conversationKey, version: of.invocationId, field: 'invocation' };
}

/** Where the recorded execution of a call belongs. */
export function executionPlace(of: Where & { readonly invocationId: string }): SealedPlace {
  return { tenantId: of.tenantId, stream: of.conversationKey, version: of.invocationId, field: 'execution' };
}

/** Where the outcome of an attempt belongs. */
export function attemptPlace(of: Where & { readonly invocationId: string; readonly number: number }): SealedPlace {
  const version = `${of.invocationId}/${of.number}`;
  return { tenantId: of.tenantId, stream: of.conversationKey, version, field: 'attempt' };
}

/** Where the step that an attempt belongs to is named; it may name an item. */
export function stepPlace(of: Where & { readonly invocationId: string; readonly number: number }): SealedPlace {
  return { ...attemptPlace(of), field: 'step' };
}

/** Where an outgoing message belongs. Its key is the conversation's, which begins with the tenant. */
export function outgoingPlace(of: { readonly key: string; readonly eventId: string }): SealedPlace {
  return { tenantId: '', stream: of.key, version: of.eventId, field: 'outgoing' };
}
