import { type EvidenceBundle } from '@latch/contracts';
import { isTransactionEvent, type TransactionEvent } from '@latch/transaction';

/** A fact of a bundle with its place in the stream. */
export type BundledFact = { readonly sequence: number; readonly fact: TransactionEvent };

/** One type of fact. */
export type BundledFactOf<T extends TransactionEvent['type']> = {
  readonly sequence: number;
  readonly fact: Extract<TransactionEvent, { readonly type: T }>;
};

/** The facts that a bundle holds whole, in order. */
export function factsOfBundle({ events }: Pick<EvidenceBundle, 'events'>): readonly BundledFact[] {
  return events.flatMap(({ envelope }) =>
    isTransactionEvent(envelope.payload) ? [{ sequence: envelope.sequence ?? 0, fact: envelope.payload }] : [],
  );
}

/** Those of one type. */
export function factsOfType<T extends TransactionEvent['type']>(
  facts: readonly BundledFact[],
  type: T,
): readonly BundledFactOf<T>[] {
  return facts.filter((one): one is BundledFactOf<T> => one.fact.type === type);
}
