/** Types of certificates.mjs, for the TypeScript that secures a local Kafka or Postgres. */
export type IssuedCertificate = { readonly certFile: string; readonly keyFile: string; readonly bothFile: string };
export type Authority = {
  readonly certFile: string;
  readonly keyFile: string;
  issue(options: {
    readonly file: string;
    readonly subject: string;
    readonly names?: readonly string[];
  }): IssuedCertificate;
};
export function makeAuthority(folder: string, name?: string): Authority;
