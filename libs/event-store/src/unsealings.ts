import { type BusMessage, failure, type Result, success, TerminalError, ToolInvocation } from '@latch/contracts';
import { type ApprovedInvocation, type TransactionItemRow } from './conversation-append.ts';
import { erased } from './erased.ts';
import { type PersonKey } from './person-keys.ts';
import { sealedMember, sealedPartOf, unsealPayload } from './seal-payload.ts';
import { detailsPlace, eventPlace, invocationPlace, outgoingPlace, responsePlace, statePlace } from './seal-places.ts';
import { isSealed, keyIdOf, type SealedPlace, unsealText } from './seal-value.ts';
import {
  type StoredConversation,
  type StoredEvent,
  type StoredTransaction,
  type StoredTurn,
} from './stored-conversation.ts';

/** The keys that a read needs, by their ids. */
export type Keys = ReadonlyMap<number, PersonKey>;

/** One kind of row: where its sealed value stands, and the row with that value opened. */
export type Unsealing<Row> = {
  readonly sealedIn: (row: Row) => string | undefined;
  readonly open: (row: Row, sealed: string, keys: Keys) => Row;
};

/**
 * What was sealed for a place. @returns null when it is erased.
 *
 * @throws TerminalError when it was altered or moved.
 */
export function openSealed(sealed: string, place: SealedPlace, keys: Keys): string | null {
  const opened = tryToOpen(sealed, place, keys);
  if (opened.ok) return opened.value;
  throw new TerminalError(`A sealed ${place.field} of ${place.stream} was altered or moved`, { code: 'internal' });
}

/** The same for whoever has to go on when it was altered or moved: a check of what is stored. */
export function tryToOpen(sealed: string, place: SealedPlace, keys: Keys): Result<string | null, 'altered'> {
  const found = keys.get(keyIdOf(sealed) ?? 0);
  if (found === undefined) return failure('altered');
  return found.key === null ? success(null) : unsealText(sealed, found.key, place);
}

/** Events: the payload, with the marker in the place of what is erased. One that was altered stays as it is stored: `verify` tells where the chain breaks. */
export const eventUnsealing: Unsealing<StoredEvent> = {
  sealedIn: ({ payload }) => sealedPartOf(payload),
  open(event, sealed, keys) {
    const opened = tryToOpen(sealed, eventPlace(event), keys);
    if (!opened.ok) return { ...event, isAltered: true };
    const payload = unsealPayload(event.type, event.payload, opened.value);
    return opened.value === null ? { ...event, payload, isErased: true } : { ...event, payload };
  },
};

/** Conversations: the snapshot; the marker when it is erased. */
export const conversationUnsealing: Unsealing<StoredConversation> = {
  sealedIn: ({ state }) => (isSealed(state) ? state : undefined),
  open(conversation, sealed, keys) {
    const opened = openSealed(sealed, statePlace(conversation), keys);
    return { ...conversation, state: opened === null ? erased : parse(opened) };
  },
};

/** The same for who reads streams to check them, or to fold them anew: a snapshot that was altered is told, and keeps nobody from its events. */
export const snapshotUnsealing: Unsealing<StoredConversation> = {
  sealedIn: conversationUnsealing.sealedIn,
  open(conversation, sealed, keys) {
    const opened = tryToOpen(sealed, statePlace(conversation), keys);
    if (!opened.ok) return { ...conversation, isStateAltered: true };
    return { ...conversation, state: opened.value === null ? erased : parse(opened.value) };
  },
};

/** Turns: the answer. An erased one is null and says so. */
export function turnUnsealing(tenantIdOf: (turn: StoredTurn) => string): Unsealing<StoredTurn> {
  return {
    sealedIn: ({ response }) => (isSealed(response) ? response : undefined),
    open(turn, sealed, keys) {
      const response = openSealed(sealed, responsePlace({ ...turn, tenantId: tenantIdOf(turn) }), keys);
      return response === null ? { ...turn, response, isErased: true } : { ...turn, response };
    },
  };
}

/** Transactions: arguments and items. Of erased items the outcomes are left. */
export const transactionUnsealing: Unsealing<StoredTransaction> = {
  sealedIn: (transaction) => sealedPartOf(transaction.arguments),
  open(transaction, sealed, keys) {
    const opened = openSealed(sealed, detailsPlace(transaction), keys);
    if (opened === null) return { ...transaction, arguments: erased, isErased: true };
    const details = parse(opened);
    const items = fieldOf(details, 'items');
    return {
      ...transaction,
      arguments: recordOf(fieldOf(details, 'arguments')),
      items: transaction.items.map(({ outcome }, index) => itemOf(Array.isArray(items) ? items[index] : null, outcome)),
    };
  },
};

/** Approved calls: the invocation. An erased one has no arguments and must not be made. */
export const invocationUnsealing: Unsealing<ApprovedInvocation> = {
  sealedIn: ({ invocation }) => sealedPartOf(invocation),
  open(approved, sealed, keys) {
    const opened = openSealed(sealed, invocationPlace(approved), keys);
    if (opened !== null) return { ...approved, invocation: ToolInvocation.parse(parse(opened)) };
    const { [sealedMember]: _, ...invocation } = approved.invocation;
    return { ...approved, invocation: { ...invocation, arguments: erased }, isErased: true };
  },
};

/** Outgoing messages. One that was erased before it was published is not published any more. */
export function openMessages(messages: readonly BusMessage[], keys: Keys): BusMessage[] {
  return messages.flatMap((message) => {
    if (!isSealed(message.value)) return message;
    const value = openSealed(message.value, outgoingPlace({ ...message, key: message.key ?? '' }), keys);
    return value === null ? [] : { ...message, value };
  });
}

function parse(text: string): unknown {
  return JSON.parse(text);
}

function fieldOf(value: unknown, name: string): unknown {
  return Reflect.get(Object(value), name);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function itemOf(details: unknown, outcome: TransactionItemRow['outcome']): TransactionItemRow {
  const text = (name: string): string | null => {
    const value = fieldOf(details, name);
    return typeof value === 'string' ? value : null;
  };
  return {
    id: text('id') ?? '',
    label: text('label') ?? '',
    outcome,
    reason: text('reason'),
    protocol: text('protocol'),
  };
}
