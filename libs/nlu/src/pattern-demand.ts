import { isAscii } from './scope.ts';

/** What a pattern certainly demands, so that most texts are passed over without trying it. */
export type PatternDemand = {
  /** It has a mandatory digit class and neither alternatives nor groups that could do without. */
  readonly hasDigit: boolean;
  /** The letters, digits, hyphens and underscores that it begins with, in lower case. */
  readonly head: string;
};

const demands = new WeakMap<RegExp, PatternDemand>();

/** What a compiled pattern demands; worked out once. */
export function patternDemand(expression: RegExp): PatternDemand {
  const known = demands.get(expression);
  if (known !== undefined) return known;
  const { source } = expression;
  const hasDigit = !/[|(]|\\\\/.test(source) && /(?:\\d|\[0-9\])(?![*?]|\{0)/.test(source);
  const head = source.includes('|') ? undefined : /^\^([A-Za-z0-9_-]+)(?![A-Za-z0-9_*+?{-])/.exec(source)?.[1];
  const demand = { hasDigit, head: (head ?? '').toLowerCase() };
  demands.set(expression, demand);
  return demand;
}

/** Whether a text, or one that goes on behind it, may begin as the pattern does, in some case. Only of ASCII is it certain what its cases are. */
export function mayBegin(text: string, { head }: PatternDemand): boolean {
  const length = Math.min(text.length, head.length);
  return text.slice(0, length).toLowerCase() === head.slice(0, length) || !isAscii(text);
}
