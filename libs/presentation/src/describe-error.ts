import { defaultAlternatives, defaultMessages, type Locale, type StructuredError } from '@latch/contracts';
import { cleanText, formatReason } from './format-value.ts';
import { texts } from './texts.ts';

/** Why something failed, in the words of its category: technical text of a transient failure is for operators. */
export function describeError(error: StructuredError, locale: Locale): readonly string[] {
  if (error.errorCategory === 'transient') return describeErrorToldByItems(error, locale);
  const reason = reasonOf(error, locale);
  return [...(reason === '' ? [] : [texts[locale].reason(reason)]), ...describeErrorToldByItems(error, locale)];
}

/** What is left to say of an error whose reason stands beside each item already. */
export function describeErrorToldByItems(error: StructuredError, locale: Locale): readonly string[] {
  const words = texts[locale];
  const { errorCategory } = error;
  const category =
    errorCategory === 'transient' || errorCategory === 'permission' ? [words.byCategory[errorCategory]] : [];
  const alternatives = offeredBy(error).map((each) => `- ${cleanText(each, locale)}`);
  return [...category, ...(alternatives.length === 0 ? [] : [words.alternatives, ...alternatives])];
}

const written = new Set<string>(Object.values(defaultMessages));

/**
 * The reason of an error for the user. What the tool said is told as it said it; what Latch wrote for the caller of the tool is told by its code, in the
 * language of the user.
 */
export function reasonOf({ code, errorCategory, message }: StructuredError, locale: Locale): string {
  const { byCode, reasons } = texts[locale];
  if (written.has(message)) return byCode['tool.unclassified'] ?? '';
  const ofLatch = code !== undefined && code !== 'tool.unclassified' && Object.hasOwn(byCode, code);
  if (ofLatch) return byCode[code] ?? '';
  return errorCategory === 'transient' ? (reasons.timeout ?? '') : formatReason(message, locale);
}

/** What the tool itself offers. Latch's own advice is for the caller of the tool; the user gets it in words of their language. */
function offeredBy({ alternatives = [] }: StructuredError): readonly string[] {
  const own = new Set<string>(Object.values(defaultAlternatives));
  return alternatives.filter((each) => !own.has(each));
}
