import { createHash, randomBytes } from 'node:crypto';

/** What every API key begins with, so that it is told apart from a token, and found where it was left by mistake. */
export const apiKeyPrefix = 'latch_';

/** A new API key of 32 random bytes, and the SHA-256 that its file keeps instead of it. */
export function makeApiKey(): { readonly key: string; readonly sha256: string } {
  const key = apiKeyPrefix + randomBytes(32).toString('base64url');
  return { key, sha256: createHash('sha256').update(key).digest('hex') };
}
