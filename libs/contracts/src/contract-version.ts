import { publishedContracts } from './published-contracts.ts';

/** A contract version that somebody named: `gateway-request-v1` is major 1 of `gateway-request`. */
export type ContractVersion = {
  /** Null where only the number was named, as in `v1` or `1.0.0`. */
  readonly contract: string | null;
  readonly major: number;
};

/**
 * Reads a contract version. Minor and patch versions only add, so that only the major counts.
 *
 * @example readContractVersion('gateway-request-v1.4') // { contract: 'gateway-request', major: 1 }
 * @returns undefined for a text that names no version.
 * @see SPEC-012 section 14
 */
export function readContractVersion(text: string): ContractVersion | undefined {
  const [, contract = null, major] = /^(?:([a-z][a-z-]{0,60})-)?v?(\d{1,6})(?:\.\d{1,6}){0,2}$/.exec(text.trim()) ?? [];
  return major === undefined ? undefined : { contract, major: Number(major) };
}

/** The major version of a contract that this build writes; undefined for a contract that it does not know. */
export function currentMajorOf(contract: string): number | undefined {
  return majors.get(contract);
}

const majors: ReadonlyMap<string, number> = new Map(publishedContracts.map(({ name, major }) => [name, major]));
