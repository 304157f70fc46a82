/**
 * Example messages of a contract, published beside its schema. The name of an example is its file's name and says what it shows; of an invalid one, what
 * is wrong with it.
 */
export type ContractExamples<T = unknown> = {
  readonly valid: Readonly<Record<string, T>>;
  readonly invalid: Readonly<Record<string, unknown>>;
};
