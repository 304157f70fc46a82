import { type Attempt, type BusMessage, type ToolExecution } from '@latch/contracts';
import { readApprovedInvocations } from './approved-invocations.ts';
import { type Sql } from './database.ts';
import { erased } from './erased.ts';
import { type PersonalVault } from './personal-vault.ts';
import { sealMessage } from './seal-append.ts';
import { sealedPartOf } from './seal-payload.ts';
import { attemptPlace, executionPlace, stepPlace } from './seal-places.ts';
import { type DataKey, isSealed, keyIdOf, sealText } from './seal-value.ts';
import { storedValue, type StoredValue } from './sealed-column.ts';
import { type Keys, openSealed } from './unsealings.ts';

/** How what a call brought is written: as JSON text, or sealed. */
export type LedgerSeal = {
  execution(execution: ToolExecution): StoredValue;
  /** Neither for an attempt without an outcome. */
  attempt(attempt: Attempt): StoredValue;
  /** The step that an attempt belongs to: it is named after the item that it is for. Null for the invocation's own call. */
  step(attempt: Pick<Attempt, 'number' | 'step'>): string | null;
  outgoing(messages: readonly BusMessage[]): readonly BusMessage[];
};

/** Which call of which conversation. */
export type CallPlace = { readonly tenantId: string; readonly conversationKey: string; readonly invocationId: string };

/**
 * The sealing of what one call brings, under the key that its arguments were sealed with; the person stays locked until the commit. When that key is destroyed
 * nothing is written down of it and nothing is told any more.
 */
export async function ledgerSealFor(sql: Sql, invocationId: string, vault: PersonalVault): Promise<LedgerSeal> {
  if (vault.keys === null) return clearSeal;
  const approved = (await readApprovedInvocations(sql, [invocationId])).get(invocationId);
  const sealed = approved && sealedPartOf(approved.invocation);
  if (approved === undefined || sealed === undefined) return clearSeal;
  const keyId = keyIdOf(sealed) ?? 0;
  const found = (await vault.keys.lock(sql, [keyId])).get(keyId);
  return found?.key ? sealWith(found.key, approved) : erasedSeal;
}

function sealWith(key: DataKey, place: CallPlace): LedgerSeal {
  return {
    execution: (execution) => storedValue(sealText(JSON.stringify(execution), key, executionPlace(place))),
    attempt: ({ number, outcome }) =>
      storedValue(outcome ? sealText(JSON.stringify(outcome), key, attemptPlace({ ...place, number })) : null),
    step: ({ number, step }) => (step ? sealText(step, key, stepPlace({ ...place, number })) : null),
    outgoing: (messages) => messages.map((message) => sealMessage(message, key)),
  };
}

/** Where nothing personal is written, or personal data is kept in the clear. */
export const clearSeal: LedgerSeal = {
  execution: (execution) => storedValue(JSON.stringify(execution)),
  attempt: ({ outcome }) => storedValue(outcome ? JSON.stringify(outcome) : null),
  step: ({ step }) => step ?? null,
  outgoing: (messages) => messages,
};

const erasedSeal: LedgerSeal = {
  execution: () => storedValue(JSON.stringify(erased)),
  attempt: ({ outcome }) => storedValue(outcome ? JSON.stringify(erased) : null),
  step: () => null,
  outgoing: () => [],
};

/** What a ledger column holds, opened: the value, or null where it is erased. `sealed` is the column as it was read. */
export function openLedgerValue(sealed: unknown, place: ReturnType<typeof executionPlace>, keys: Keys): unknown {
  if (!isSealed(sealed)) return sealed;
  const opened = openSealed(sealed, place, keys);
  if (opened === null) return erased;
  const value: unknown = JSON.parse(opened);
  return value;
}
