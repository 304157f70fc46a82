import { isRecord } from '@latch/contracts';

/** What Node.js, OpenSSL and the driver say when no connection over TLS came about, and what to do. */
const problems: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT(_LOCALLY)?|VERIFY_LEAF_SIGNATURE))$/,
    'Postgres shows a certificate that no known authority has signed. Name the authority in the URL: sslmode=verify-full&sslrootcert=/path/to/ca.pem.',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'Postgres shows a certificate for another name. Use a host in the URL that stands in it.',
  ],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'Postgres shows a certificate whose time is over or has not begun.'],
  [
    /^(ENOENT|EACCES|EISDIR): .*(open|read)/,
    'A file that the URL of the database names cannot be read (sslrootcert, sslcert, sslkey).',
  ],
  [/does not support SSL/, 'Postgres does not take connections over TLS. Turn ssl on there, or leave sslmode out.'],
];

/**
 * Says why Postgres and this process do not trust each other, in a sentence that says what to do; it never repeats the URL.
 *
 * @returns undefined when the error is another one.
 */
export function postgresTrust(error: unknown): string | undefined {
  if (!isRecord(error)) return undefined;
  const [code, message] = [String(error['code'] ?? ''), String(error['message'] ?? '')];
  const found = problems.find(([pattern]) => pattern.test(code) || pattern.test(message));
  return found === undefined ? undefined : `${found[1]} (${message})`;
}
