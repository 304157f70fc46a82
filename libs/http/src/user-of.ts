import { failure, type Result, success } from '@latch/contracts';
import { type Principal } from './principal.ts';
import { type Refusal } from './refusal.ts';

/** The user that a request speaks as: its credential's own, where that speaks for nobody else; else the one that it names. */
export function userOf(
  { userId }: Pick<Principal, 'userId'>,
  named: string | undefined,
): Result<string | undefined, Refusal> {
  if (userId === null) return success(named);
  if (named !== undefined && named !== userId) return failure({ status: 403, code: 'auth.forbidden' });
  return success(userId);
}
