import { type Scope } from './scope.ts';

/** Whether tokens `[from, to)` are a number and nothing else: no currency says what it counts. */
export function isBareNumber(scope: Scope, run: { readonly from: number; readonly to: number }): boolean {
  const { numbers, scales, numberJoin, decimalWords } = scope.language.lexicon;
  return scope.tokens
    .slice(run.from, run.to)
    .every(
      ({ kind, text }) =>
        kind === 'number' ||
        Object.hasOwn(numbers, text) ||
        Object.hasOwn(scales, text) ||
        numberJoin.includes(text) ||
        decimalWords.includes(text),
    );
}
