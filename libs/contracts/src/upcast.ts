import { currentMajorOf } from './contract-version.ts';
import { nestFlatRequest } from './nest-flat-request.ts';
import { failure, type Result, success } from './result.ts';

/** Turns a message of one major version into the next one. Pure; it gets what the old version allowed and keeps what it does not know. */
export type Upcaster = (older: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/**
 * The one place where older versions become the current one: contract -> major that is read -> the step to the next major. Major 0 is what the
 * ancestor platform sent before contracts had versions; it is accepted at the edge only.
 */
const upcasters: Readonly<Record<string, Readonly<Record<number, Upcaster>>>> = {
  'gateway-request': { 0: nestFlatRequest },
};

/** The oldest major that may be on the bus: everything that Latch itself has ever published is newer. */
export const oldestMajorOnTheBus = 1;

/** A message in the version that its sender speaks. */
export type VersionedMessage = {
  readonly contract: string;
  readonly major: number;
  readonly message: Readonly<Record<string, unknown>>;
};

/**
 * Brings a message to the current major of its contract, one step at a time. A message of the current major is returned as it is. A contract that this build
 * does not know counts as current at major 1.
 *
 * @returns a reason for a newer major than this build speaks, and for an older one from which no step leads.
 * @see SPEC-012 section 14
 */
export function upcast({ contract, major, message }: VersionedMessage): Result<Readonly<Record<string, unknown>>, string> {
  const current = currentMajorOf(contract) ?? 1;
  const steps = upcasters[contract] ?? {};
  let upgraded = message;
  for (let at = major; at < current; at += 1) {
    const step = steps[at];
    if (!step) return failure(`this build speaks major ${current} of ${contract} and cannot read major ${major}`);
    upgraded = step(upgraded);
  }
  if (major > current) return failure(`this build speaks major ${current} of ${contract}, not major ${major}`);
  return success(upgraded);
}
