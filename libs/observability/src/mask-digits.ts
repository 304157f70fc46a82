/**
 * Replaces document, card and phone numbers in a text: CPF, CNPJ (numeric), payment cards that pass Luhn, and phone numbers.
 * A run of digits is cut into its groups and every row of neighboring groups is tried, so that a number between other numbers is
 * found too. Linear in the length of the text: a row never holds more than six groups or 19 digits.
 */
export function maskDigits(text: string): string {
  return text.replace(digitRun, maskRun);
}

/** Digits in groups, with at most two separators between two groups. */
const digitRun = /\+?\(?\d+(?:[ .\-/()]{1,2}\d+)*/g;
const shortest = 10;
const longest = 19;
/** `+55 (11) 9 8765-4321` has five groups; a card of 19 digits too. */
const mostGroups = 6;

function maskRun(run: string): string {
  const groups = [...run.matchAll(/\d+/g)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
  let masked = '';
  let written = 0;
  for (const [index, group] of groups.entries()) {
    if (group.start < written) continue;
    const found = findFrom(run, groups.slice(index, index + mostGroups));
    if (!found) continue;
    masked += run.slice(written, found.start) + found.label;
    written = found.end;
  }
  return masked + run.slice(written);
}

type Group = { readonly start: number; readonly end: number };
type Found = Group & { readonly label: string };

/** The longest sensitive number that begins with the first of these groups. */
function findFrom(run: string, groups: readonly Group[]): Found | undefined {
  let found: Found | undefined;
  let digits = 0;
  for (const group of groups) {
    digits += group.end - group.start;
    if (digits > longest) break;
    if (digits >= shortest) found = numberBetween(run, groups[0] ?? group, group) ?? found;
  }
  return found;
}

function numberBetween(run: string, first: Group, last: Group): Found | undefined {
  const start = startWithSign(run, first.start);
  const label = labelOf(run.slice(start, last.end)) ?? labelOf(run.slice(first.start, last.end));
  return label ? { start, end: last.end, label } : undefined;
}

/** Takes the "+" of a country code and the "(" of an area code along. */
function startWithSign(run: string, begin: number): number {
  let start = begin;
  if (run[start - 1] === '(') start -= 1;
  if (run[start - 1] === '+') start -= 1;
  return start;
}

function labelOf(number: string): string | undefined {
  const digits = number.replaceAll(/\D/g, '');
  if (isCpf(number, digits)) return '[cpf]';
  if (isCnpj(number, digits)) return '[cnpj]';
  if (isCard(number, digits)) return '[card]';
  return isPhone(number) ? '[phone]' : undefined;
}

/** Written with its dots and dash it is a CPF whatever its check digits; bare digits need valid ones. */
function isCpf(number: string, digits: string): boolean {
  if (/^\d{3}\.\d{3}\.\d{3}-\d{2}$/.test(number)) return true;
  if (!/^\d{3}[. ]?\d{3}[. ]?\d{3}[- /]?\d{2}$/.test(number) || /^(\d)\1+$/.test(digits)) return false;
  return hasCheckDigits(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
}

function isCnpj(number: string, digits: string): boolean {
  if (/^\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}$/.test(number)) return true;
  if (!/^\d{2}[. ]?\d{3}[. ]?\d{3}[/ ]?\d{4}[- ]?\d{2}$/.test(number)) return false;
  return hasCheckDigits(digits, cnpjWeights);
}

/** Weights of a CNPJ's second check digit; the first one uses them without the leading 6. */
export const cnpjWeights: readonly number[] = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

/**
 * Whether the last two characters are the modulo-11 check digits of the rest (CPF, CNPJ, and the alphanumeric CNPJ of 2026, where a
 * letter counts as its ASCII code minus 48).
 */
export function hasCheckDigits(code: string, weights: readonly number[]): boolean {
  const values = [...code].map((character) => character.charCodeAt(0) - 48);
  const body = values.slice(0, -2);
  const first = checkDigit(body, weights.slice(1));
  const second = checkDigit([...body, first], weights);
  return first === values.at(-2) && second === values.at(-1);
}

function checkDigit(values: readonly number[], weights: readonly number[]): number {
  const sum = values.reduce((total, value, index) => total + value * (weights[index] ?? 0), 0);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

function isCard(number: string, digits: string): boolean {
  if (digits.length < 13 || !/^[2-6][\d .-]*$/.test(number)) return false;
  return passesLuhn(digits);
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Brazilian numbers with an area code, with or without country code, and any number written with a leading "+". */
function isPhone(number: string): boolean {
  if (/^\+\d[\d ().-]{8,18}$/.test(number)) return true;
  return /^(?:55[ -]?)?\(?[1-9][1-9]\)?[ -]?(?:9[ -]?\d{4}|[2-5]\d{3})[ -]?\d{4}$/.test(number);
}
