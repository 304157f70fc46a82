import { type CertificateProblem, certificateProblem } from '@latch/config';
import { isRecord } from '@latch/contracts';

const certificate: Readonly<Record<CertificateProblem, string>> = {
  unknown_authority:
    'Postgres shows a certificate that no known authority has signed. Name the authority in the URL: sslmode=verify-full&sslrootcert=/path/to/ca.pem.',
  other_name: 'Postgres shows a certificate for another name. Use a host in the URL that stands in it.',
  not_in_time: 'Postgres shows a certificate whose time is over or has not begun.',
};

/** What Node.js and the driver say when no connection over TLS came about for another reason, and what to do. */
const others: readonly (readonly [pattern: RegExp, sentence: string])[] = [
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
  const problem = certificateProblem(code);
  const sentence = problem ? certificate[problem] : others.find(([pattern]) => pattern.test(message))?.[1];
  return sentence === undefined ? undefined : `${sentence} (${message})`;
}
