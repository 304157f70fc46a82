import { cnpjWeights, hasCheckDigits, maskDigits } from './mask-digits.ts';

/**
 * Replaces personal data and secrets in a text before it leaves the process (invariant I16): CPF, CNPJ (numeric and alphanumeric), payment
 * cards, phones, e-mails, bearer and API tokens, JWTs, passwords in assignments and in URLs. Ids (UUID, hexadecimal digests and trace
 * ids) stay readable. Linear in the length of the text, whatever it holds.
 *
 * @example mask('CPF 529.982.247-25, ana@tim.com.br') === 'CPF [cpf], [email]'
 */
export function mask(text: string): string {
  if (plainWord.test(text) || uuid.test(text)) return text;
  const readable = text
    .replace(secretInText, '$1[secret]')
    .replace(passwordInUrl, '$1[secret]@')
    .replace(knownToken, '[secret]');
  return maskBetweenIds(readable.replace(email, '[email]').replace(alphanumericCnpj, maskCnpj));
}

/** Field names, event names, statuses: most of what is logged, and nothing of it can hold what is looked for. */
const plainWord = /^[a-z_.]{0,40}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** `Authorization: Bearer abc`, `"password":"abc"`, `token=abc`, `Bearer abc`: the name stays, the value goes. */
const secretInText =
  /((?:authorization|cookie|password|passwd|senha|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:(?:bearer|basic)\s{1,3})?|\b(?:bearer|basic)\s{1,3})(?!\[secret\])[^\s"'\\,;&<>]{3,}/gi;

const passwordInUrl = /(:\/\/[^\s/:@"']{0,100}:)[^\s/@"']{1,200}@/g;

/** JWTs and the well-known prefixes of API keys. The look-behind lets each word be tried only once. */
const knownToken =
  /(?<![\w-])(?:eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?|(?:sk|pk|rk)[-_][\w-]{16,}|gh[opsur]_\w{16,}|github_pat_\w{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{20,}|latch_[\w-]{16,})/g;

const email = /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

const alphanumericCnpj =
  /(?<![A-Za-z0-9])[A-Za-z0-9]{2}\.?[A-Za-z0-9]{3}\.?[A-Za-z0-9]{3}\/?[A-Za-z0-9]{4}-?\d{2}(?![A-Za-z0-9])/g;

function maskCnpj(candidate: string): string {
  const isWritten = /^\w{2}\.\w{3}\.\w{3}\/\w{4}-\d{2}$/.test(candidate);
  const code = candidate.replaceAll(/[./-]/g, '').toUpperCase();
  return isWritten || hasCheckDigits(code, cnpjWeights) ? '[cnpj]' : candidate;
}

/** UUIDs, and hexadecimal words of the lengths of trace ids and digests that hold a letter: digits in them are no numbers of a person. */
const id =
  /(?<![\w-])(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[0-9]{0,63}[a-f])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32}|[0-9a-f]{16}))(?![\w-])/gi;

function maskBetweenIds(text: string): string {
  let masked = '';
  let written = 0;
  for (const match of text.matchAll(id)) {
    masked += maskDigits(text.slice(written, match.index)) + match[0];
    written = match.index + match[0].length;
  }
  return masked + maskDigits(text.slice(written));
}
