import { type NumberMatch, numberAt, numberOpeners } from './find-numbers.ts';
import { markAt, type Token, wordAt } from './fold-text.ts';
import { type Lexicon } from './lexicon.ts';
import { compilePhrases, lookUp, mayOpen, phraseAt, type PhraseTable } from './phrases.ts';

/** An amount of money found in an utterance, as token positions `[from, to)`. */
export type MoneyMatch = {
  readonly value: number;
  /** ISO 4217 code; null where the text does not say which of several. */
  readonly currency: string | null;
  readonly from: number;
  readonly to: number;
};

type Currency = { readonly code: string | null; readonly from: number; readonly to: number };

const symbols: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₾': 'GEL',
  '₹': 'INR',
  '₩': 'KRW',
  元: 'CNY',
  円: 'JPY',
  '₽': 'RUB',
};

/** What stands before `$` and makes it another currency. */
const dollarPrefixes: Readonly<Record<string, string>> = {
  r: 'BRL',
  us: 'USD',
  u: 'USD',
  c: 'CAD',
  ca: 'CAD',
  a: 'AUD',
  au: 'AUD',
  hk: 'HKD',
  nz: 'NZD',
  mx: 'MXN',
  ar: 'ARS',
};

const isoCodes = new Set(
  'brl usd eur gbp jpy cny rmb inr cad aud chf mxn ars clp cop pen uyu krw gel hkd nzd btc'.split(' '),
);

/** Every amount that is written with its currency, from left to right; linear in the number of tokens. */
export function findMoney(tokens: readonly Token[], lexicon: Lexicon): readonly MoneyMatch[] {
  const words = wordsOf(lexicon);
  const found: MoneyMatch[] = [];
  for (let at = 0; at < tokens.length;) {
    const match = mayOpen(words.openers, tokens[at])
      ? (prefixedAt(tokens, at, words) ?? suffixedAt(tokens, at, words))
      : null;
    if (match !== null) found.push(match);
    at = match === null ? at + 1 : match.to;
  }
  return found;
}

type Words = {
  readonly lexicon: Lexicon;
  readonly names: PhraseTable<string>;
  /** The words that an amount may begin with. */
  readonly openers: ReadonlySet<string>;
};

const compiledWords = new WeakMap<Lexicon, Words>();

function wordsOf(lexicon: Lexicon): Words {
  const known = compiledWords.get(lexicon);
  if (known !== undefined) return known;
  const names = compilePhrases(Object.entries(lexicon.currencies));
  const codes = [...isoCodes].flatMap((code) => [code, `m${code}`]);
  const openers = new Set([...numberOpeners(lexicon), ...names.keys(), ...Object.keys(dollarPrefixes), ...codes]);
  const words = { lexicon, names, openers };
  compiledWords.set(lexicon, words);
  return words;
}

/** `R$ 71,99`, `usd 20`, `dólar 22500000`, `MAUD 60`. */
function prefixedAt(tokens: readonly Token[], at: number, words: Words): MoneyMatch | null {
  const millions = millionsAt(tokens, at);
  const currency = millions ?? currencyAt(tokens, at, words);
  if (currency === null || markAt(tokens, currency.to).replace('-', '') !== '') return null;
  const amount = numberAt(tokens, currency.to, words.lexicon);
  if (amount === null || amount.value < 0) return null;
  const cents = amount.isLiteral && !amount.hasFraction ? spokenCentsAt(tokens, amount, words) : null;
  const value = millions === null ? amount.value : amount.value * 1e6;
  return withCents({ value, currency: currency.code, from: at, to: amount.to }, cents);
}

/** `20 euros`, `2,75 dólares`, `100元`, `3 dollars 50 cents`, `4 milhões de dólares`. */
function suffixedAt(tokens: readonly Token[], at: number, words: Words): MoneyMatch | null {
  const amount = numberAt(tokens, at, words.lexicon);
  if (amount === null || amount.value < 0) return null;
  const unitAt = wordAt(tokens, amount.to) === 'de' ? amount.to + 1 : amount.to;
  if (!isAdjacent(tokens[unitAt])) return null;
  if (words.lexicon.cents.includes(wordAt(tokens, unitAt))) {
    return { value: amount.value, currency: null, from: at, to: unitAt + 1 };
  }
  const currency = currencyAt(tokens, unitAt, words);
  return currency === null ? null : behindCurrency(tokens, { amount, currency }, words);
}

/** "125 USD millones", then cents. */
function behindCurrency(
  tokens: readonly Token[],
  of: { readonly amount: NumberMatch; readonly currency: Currency },
  words: Words,
): MoneyMatch {
  const { amount, currency } = of;
  const match = { value: amount.value, currency: currency.code, from: amount.from, to: currency.to };
  const scale = lookUp(words.lexicon.scales, wordAt(tokens, currency.to));
  if (scale !== undefined && scale >= 1e6) return { ...match, value: amount.value * scale, to: currency.to + 1 };
  return withCents(match, amount.hasFraction ? null : centsAt(tokens, currency.to, words));
}

const isAdjacent = (token: Token | undefined): boolean => token !== undefined && /^-?$/.test(token.mark);

function withCents(match: MoneyMatch, cents: NumberMatch | null): MoneyMatch {
  if (cents === null) return match;
  return { ...match, value: Number(`${match.value}.${String(cents.value).padStart(2, '0')}`), to: cents.to };
}

/** Cents after the currency: named, or at the end of the clause. */
function centsAt(tokens: readonly Token[], at: number, words: Words): NumberMatch | null {
  const isJoined = words.lexicon.centJoin.includes(wordAt(tokens, at));
  const cents = numberAt(tokens, isJoined ? at + 1 : at, words.lexicon);
  if (cents === null || markAt(tokens, at) !== '' || markAt(tokens, cents.from) !== '') return null;
  if (!Number.isInteger(cents.value) || cents.value >= 100 || cents.value < 0) return null;
  if (words.lexicon.cents.includes(wordAt(tokens, cents.to))) return { ...cents, to: cents.to + 1 };
  const isLast = cents.to === tokens.length || markAt(tokens, cents.to) !== '';
  return cents.value >= 10 && isLast ? cents : null;
}

/** "C$ 100 and fifty": cents said in words after a numeral. */
function spokenCentsAt(tokens: readonly Token[], amount: NumberMatch, words: Words): NumberMatch | null {
  if (!words.lexicon.centJoin.includes(wordAt(tokens, amount.to))) return null;
  const cents = centsAt(tokens, amount.to, words);
  return cents === null || cents.isLiteral ? null : cents;
}

function currencyAt(tokens: readonly Token[], at: number, words: Words): Currency | null {
  return symbolAt(tokens, at) ?? codeAt(tokens, at) ?? nameAt(tokens, at, words);
}

function symbolAt(tokens: readonly Token[], at: number): Currency | null {
  const token = tokens[at];
  const next = tokens[at + 1];
  const symbol = lookUp(symbols, token?.text);
  if (symbol !== undefined) return { code: symbol, from: at, to: at + 1 };
  const code = lookUp(dollarPrefixes, token?.text);
  if (code === undefined || next?.text !== '$' || next.mark !== '') return null;
  const hasLetterAfter = tokens[at + 2]?.text === 'd' && tokens[at + 2]?.isGlued;
  return { code, from: at, to: hasLetterAfter ? at + 3 : at + 2 };
}

function codeAt(tokens: readonly Token[], at: number): Currency | null {
  const text = wordAt(tokens, at);
  if (!isoCodes.has(text)) return null;
  return { code: text === 'rmb' ? 'CNY' : text.toUpperCase(), from: at, to: at + 1 };
}

/** `MAUD 60`: millions of Australian dollars, as balance sheets write them. */
function millionsAt(tokens: readonly Token[], at: number): Currency | null {
  const text = wordAt(tokens, at);
  if (text.length !== 4 || !text.startsWith('m') || !isoCodes.has(text.slice(1))) return null;
  return { code: text.slice(1).toUpperCase(), from: at, to: at + 1 };
}

function nameAt(tokens: readonly Token[], at: number, words: Words): Currency | null {
  const match = phraseAt(words.names, tokens, at);
  return match === null ? null : { code: match.value === '' ? null : match.value, from: at, to: match.to };
}
