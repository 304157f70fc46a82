import { anybody, type Principal } from './principal.ts';
import { type Refusal } from './refusal.ts';

const everyMs = 1_000;

/**
 * Tells once when the credential that something long was begun with is not good any more: it has expired, or was taken back.
 *
 * @returns a function that looks no more.
 */
export function whenLapsed(principal: Principal, tell: (refusal: Refusal) => void): () => void {
  if (principal === anybody) return () => undefined;
  const timer = setInterval(() => {
    const refusal = principal.lapsed();
    if (refusal === null) return;
    clearInterval(timer);
    tell(refusal);
  }, everyMs);
  return () => clearInterval(timer);
}
