/** Why the certificate that the other side of a connection shows is not trusted. */
export type CertificateProblem = 'unknown_authority' | 'other_name' | 'not_in_time';

/** What Node.js and OpenSSL call them. */
const codes: readonly (readonly [pattern: RegExp, problem: CertificateProblem])[] = [
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT(_LOCALLY)?|VERIFY_LEAF_SIGNATURE))$/,
    'unknown_authority',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'other_name'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'not_in_time'],
];

/** @returns undefined when the code of an error says something else. */
export function certificateProblem(code: string): CertificateProblem | undefined {
  return codes.find(([pattern]) => pattern.test(code))?.[1];
}
