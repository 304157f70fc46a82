import { type StoreReader } from './store-reader.ts';

/** What the shared reads work with. */
export type ReadApi = {
  readonly store: StoreReader;
  /** The tenant of a request that names none and has no credential; null: it must name one. */
  readonly defaultTenantId: string | null;
};

/** Injection token of `ReadApi`. */
export const readApiToken = Symbol('read-api');
