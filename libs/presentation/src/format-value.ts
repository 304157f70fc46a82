import { type Locale } from '@latch/contracts';
import { texts } from './texts.ts';

/** Longer texts are cut: an answer is read by a person. */
const longestText = 400;

/** Text from outside on one line: control characters and runs of blanks become one blank, and what is longer than a person reads is cut. */
export function cleanText(text: string, locale: Locale): string {
  if (looksEncoded(text)) return texts[locale].attachment;
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > longestText ? `${line.slice(0, longestText - 1).trimEnd()}…` : line;
}

/** Base64 and the like have no place in a chat. */
function looksEncoded(text: string): boolean {
  return text.startsWith('data:') || (text.length >= 200 && /^[A-Za-z0-9+/=_-]+$/.test(text));
}

/** A scalar as people of the language write it. `key` is the name of the field, which tells an amount from a plain number. */
export function formatScalar(value: unknown, key: string, locale: Locale): string {
  if (typeof value === 'boolean') return value ? texts[locale].yes : texts[locale].no;
  if (typeof value === 'number') return isMoneyKey(key) ? formatMoney(value, locale) : formatNumber(value, locale);
  if (typeof value !== 'string') return '';
  if (isMoneyKey(key) && /^-?\d{1,15}\.\d{2}$/.test(value)) return formatMoney(Number(value), locale);
  return formatDate(value, locale) ?? cleanText(value, locale);
}

const moneyKey =
  /(^|_)(valor|valores|total|subtotal|amount|price|preco|precio|saldo|balance|importe|monto|fee|taxa)($|_)/;

/** Whether a field's name says that its number is an amount of money. */
export function isMoneyKey(key: string): boolean {
  const words = key
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();
  return moneyKey.test(words) && !/(^|_)(items|itens|count|quantity)($|_)/.test(words);
}

/** An amount with two decimals; reais in pt-BR, no sign elsewhere, because the currency is not known there. */
export function formatMoney(value: number, locale: Locale): string {
  const [whole = '0', cents = '00'] = Math.abs(value).toFixed(2).split('.');
  const [group, point] = locale === 'en' ? [',', '.'] : ['.', ','];
  const sign = value < 0 ? '-' : '';
  const amount = `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, group)}${point}${cents}`;
  return locale === 'pt-BR' ? `R$ ${amount}` : amount;
}

function formatNumber(value: number, locale: Locale): string {
  const text = String(value);
  return locale === 'en' ? text : text.replace('.', ',');
}

/** An ISO date, with its time dropped, in the order of the language; null for any other text. */
function formatDate(text: string, locale: Locale): string | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})(T[\d:.]{5,16}(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text);
  if (match === null) return null;
  const [, year, month, day] = match;
  return locale === 'en' ? `${year}-${month}-${day}` : `${day}/${month}/${year}`;
}

/** A field's name as a person would call it: `tracking_code` -> "Código de rastreio". */
export function fieldLabel(key: string, locale: Locale): string {
  const { fields } = texts[locale];
  const name = withoutAccents(key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/[\s_-]+/g, '_')).toLowerCase();
  const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (known !== undefined) return known;
  const words = humanize(cleanText(key.replace(/([a-z0-9])([A-Z])/g, '$1 $2'), locale).toLowerCase(), locale);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * A reason as a person would say it: known codes in the language's words, other codes with their underscores taken out, a sentence as it is. It has no full
 * stop of its own, because it stands within a sentence.
 */
export function formatReason(reason: string, locale: Locale): string {
  const said = reasonsIn(reason).map((each) => formatOneReason(each, locale));
  return cleanText([...new Set(said)].join('; '), locale);
}

/** Tools and Latch put several reasons into one text: "already_cancelled; not_found". */
export function reasonsIn(text: string): readonly string[] {
  return text
    .split(';')
    .map((reason) => reason.trim())
    .filter((reason) => reason !== '');
}

/** The text with a full stop, unless it has its end already. */
export function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function formatOneReason(reason: string, locale: Locale): string {
  const { reasons } = texts[locale];
  const code = withoutAccents(reason).toLowerCase();
  const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  if (known !== undefined) return known;
  if (/^[a-z0-9]+(?:_[a-z0-9]+)+$/i.test(reason)) return humanize(reason.toLowerCase(), locale);
  return reason.replace(/([^.])\.$/, '$1');
}

/** A name of a program as words, with the accents that programs leave out. */
function humanize(name: string, locale: Locale): string {
  const { accents } = texts[locale];
  const words = name.split(/[\s_-]+/);
  return words.map((word) => (Object.hasOwn(accents, word) ? (accents[word] ?? word) : word)).join(' ');
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
}
