/**
 * The one amount that a text is: "R$ 1.234,56", "1,234.56 USD", "71.99". The last separator with one or two digits behind it is the decimal one; one with three
 * behind it separates thousands.
 *
 * @returns whole minor units (cents), exactly; null for no amount, more than one, more than two decimals, or one beyond what a number holds exactly.
 */
export function readCents(text: string): number | null {
  const amount = /^[^\d+-]{0,12}([+-]?)\s?[^\d]{0,8}(\d[\d.,\s]{0,30})[^\d]{0,20}$/.exec(text.trim());
  if (amount === null) return null;
  const [, sign, digits = ''] = amount;
  const compact = digits.replaceAll(/\s/g, '').replace(/[.,]$/, '');
  const parts = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(compact);
  const whole = wholePart(parts?.[1] ?? '');
  if (whole === null) return null;
  const cents = Number(`${whole}${(parts?.[2] ?? '').padEnd(2, '0')}`);
  if (!Number.isSafeInteger(cents)) return null;
  return sign === '-' ? -cents : cents;
}

/** Plain digits, or groups of three behind one kind of separator. */
function wholePart(text: string): string | null {
  if (/^\d+$/.test(text)) return text;
  return /^\d{1,3}(?:\.\d{3})+$|^\d{1,3}(?:,\d{3})+$/.test(text) ? text.replaceAll(/[.,]/g, '') : null;
}
