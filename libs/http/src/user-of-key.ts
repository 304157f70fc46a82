import { anonymousUser } from '@latch/contracts';

const prefix = 'key:';

/** The user that an API key speaks as, by its id. */
export function userOfKey(id: string): string {
  return prefix + id;
}

/** Whether a token may speak as a user: not as that of an API key, nor as the one of whom nobody knows the name. Either would say yes to what another was asked (invariant I4). */
export function isUserOfToken(userId: string): boolean {
  return userId !== anonymousUser && !userId.startsWith(prefix);
}
