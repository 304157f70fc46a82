import { failure, Instant, type Result, KeyPart, success } from '@latch/contracts';
import { z } from 'zod';
import { type ConfigProblem } from './config-problem.ts';
import { apiKeyPrefix } from './make-api-key.ts';
import { parseSection, section } from './parse-section.ts';
import { type Scope, scopes } from './scopes.ts';
import { parseYamlFile } from './yaml-file.ts';

/** One API key, as its file keeps it: not the key, but what it is known by. */
export type ApiKey = {
  readonly id: string;
  /** SHA-256 of the key, in small hexadecimal digits. */
  readonly sha256: string;
  readonly tenantId: string;
  readonly scopes: readonly Scope[];
  /** From this instant on it is refused. */
  readonly expiresAt: string;
};

/**
 * Reads the text of a file of API keys, YAML or JSON.
 *
 * @returns every problem, if there is one. A key by an entry of which a part was not understood could be good for longer, or for more, than was meant: so an unknown
 *   name refuses the file too. No message repeats what looks like a key.
 */
export function readApiKeys(name: string, bytes: Uint8Array): Result<readonly ApiKey[], readonly ConfigProblem[]> {
  const { file, problems } = parseYamlFile({ name, bytes, env: {} });
  const read = file === null ? { value: null, problems: [] } : parseSection(file, ApiKeysFile, 'refuses the file');
  const found = [...problems, ...read.problems];
  if (read.value === null || found.length > 0) return failure(found.map(withoutKeys));
  const twice = repeatedIn(read.value, name);
  return twice.length > 0 ? failure(twice) : success(read.value);
}

const mostKeys = 1_000;

const Entry = section({
  id: KeyPart,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of the key, 64 hexadecimal digits. `latch api-key new` writes it.'),
  tenant_id: KeyPart,
  scopes: z.array(z.enum(scopes)).min(1),
  expires_at: Instant,
  label: z.string().max(200).optional(),
}).transform(({ id, sha256, tenant_id: tenantId, scopes: allowed, expires_at: expiresAt }): ApiKey => {
  return { id, sha256, tenantId, scopes: allowed, expiresAt };
});

const ApiKeysFile = section({ version: z.unknown().optional(), keys: z.array(Entry).max(mostKeys) }).transform(
  ({ keys }): readonly ApiKey[] => keys,
);

/** A name that two entries share would make the log lie about who it was, and one of two entries of a key would count by chance. */
function repeatedIn(keys: readonly ApiKey[], file: string): readonly ConfigProblem[] {
  return (['id', 'sha256'] as const).flatMap((name) => {
    const repeated = keys.filter((key, index) => keys.findIndex((other) => other[name] === key[name]) !== index);
    const message = `${repeated.map(({ id }) => id).join(', ')}: another key has the same ${name}. Each stands once.`;
    return repeated.length === 0 ? [] : [{ file, line: 1, column: 1, message, severity: 'error' }];
  });
}

const keyLike = new RegExp(`${apiKeyPrefix}[\\w-]{8,}`, 'g');

function withoutKeys(problem: ConfigProblem): ConfigProblem {
  return { ...problem, message: problem.message.replace(keyLike, `${apiKeyPrefix}…`) };
}
