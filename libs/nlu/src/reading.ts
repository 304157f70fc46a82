import { type Reading } from '@latch/transaction';
import { type Scope, spanOf, textOf } from './scope.ts';

/** The reading of a rule that matched tokens `[from, to)` of the scope. */
export function toReading(
  scope: Scope,
  match: { readonly rule: string; readonly from: number; readonly to: number },
  runnerUp: string | null = null,
): Reading {
  return {
    rule: match.rule,
    span: spanOf(scope, match.from, match.to),
    text: textOf(scope, match.from, match.to),
    runnerUp,
  };
}
