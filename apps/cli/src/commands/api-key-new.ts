import { makeApiKey, readApiKeys, scopes } from '@latch/config';
import { stringify } from 'yaml';
import { print } from '../terminal.ts';

/** Options of `latch api-key new`. */
export type NewApiKeyOptions = {
  readonly tenant: string;
  readonly scope: readonly string[];
  readonly id: string;
  readonly days: string;
  readonly label?: string;
  readonly json?: boolean;
};

/**
 * `latch api-key new`: makes an API key, prints it this once, and the entry for the file that LATCH_API_KEYS_FILE names. Nothing is kept.
 *
 * @throws Error with a sentence when the entry would not be a good one.
 */
export function newApiKey({ tenant, scope, id, days, label, json }: NewApiKeyOptions): void {
  if (!/^[1-9]\d{0,3}$/.test(days)) throw new Error('--days must be a whole number from 1 to 9999.');
  const { key, sha256 } = makeApiKey();
  const expires_at = new Date(Date.now() + Number(days) * 86_400_000).toISOString();
  const entry = { id, sha256, tenant_id: tenant, scopes: scope, expires_at, ...(label === undefined ? {} : { label }) };
  const read = readApiKeys('the entry', Buffer.from(JSON.stringify({ keys: [entry] })));
  if (!read.ok) {
    const problems = read.error.map(({ message }) => message.replace('keys[0].', '')).join(' ');
    throw new Error(`No key was made: ${problems} Scopes are ${scopes.join(', ')}.`);
  }
  if (json) return print(JSON.stringify({ key, entry }));
  print('The key, shown this once. Put it into the secret store of who will send it:');
  print(`\n  ${key}\n`);
  print('The entry for the file of keys (LATCH_API_KEYS_FILE). It holds no secret:\n');
  print(stringify({ keys: [entry] }));
}
