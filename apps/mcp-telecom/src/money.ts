/** Reads an amount as cents: 71.99, "71.99", "71,99" or "R$ 1.071,99". Null when it is none. */
export function readCents(amount: number | string): number | null {
  if (typeof amount === 'number') return Number.isFinite(amount) ? Math.round(amount * 100) : null;
  const digits = amount.replaceAll(/[R$\s]/g, '');
  const plain = /,\d{1,2}$/.test(digits) ? digits.replaceAll('.', '').replace(',', '.') : digits;
  return /^\d+(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : null;
}

/** Cents as a number of reais, as the contracts have it (SPEC-012 section 9). */
export function toReais(cents: number): number {
  return cents / 100;
}

/** "R$ 1.071,99". */
export function writeReais(cents: number): string {
  const [whole = '0', fraction = '00'] = (cents / 100).toFixed(2).split('.');
  return `R$ ${whole.replaceAll(/\B(?=(\d{3})+$)/g, '.')},${fraction}`;
}
