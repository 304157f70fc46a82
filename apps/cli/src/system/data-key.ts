import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  childEnvironment,
  type Environment,
  parseKeyRing,
  type PersonalData,
  personalDataOf,
  personalDataSettings,
  readEnvironment,
} from '@latch/config';

const fileName = 'data-key';

/**
 * What the services of the local system are told of personal data: what the environment says of it, else a key of their own that is made at the first start and
 * kept in the state folder, readable for its owner only.
 */
export function personalDataEnvironment(stateFolder: string, env: Environment = childEnvironment()): Environment {
  if (env['LATCH_PERSONAL_DATA'] === 'clear' || (env['LATCH_DATA_KEY'] ?? '') !== '') return {};
  return { LATCH_DATA_KEY: readLocalKey(stateFolder) ?? makeLocalKey(stateFolder) };
}

/**
 * How a command of the operator opens personal data: with the key of the environment, else with that of the system that was started here.
 *
 * @throws Error with every problem of the environment, or when there is no key.
 */
export function personalDataOfOperator(stateFolder: string, env: Environment = childEnvironment()): PersonalData {
  const local = (env['LATCH_DATA_KEY'] ?? '') === '' ? readLocalKey(stateFolder) : undefined;
  const settings = readEnvironment(personalDataSettings, local === undefined ? env : { ...env, LATCH_DATA_KEY: local });
  if (!settings.ok) throw new Error(settings.error);
  return personalDataOf(settings.value);
}

function readLocalKey(stateFolder: string): string | undefined {
  try {
    const text = readFileSync(path.join(stateFolder, fileName), 'utf8').trim();
    return parseKeyRing(text).ok ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Never over a file that is there: two starts at once agree on the first one's key, and an unreadable key is not thrown away. */
function makeLocalKey(stateFolder: string): string {
  const key = `local:${randomBytes(32).toString('base64')}`;
  mkdirSync(stateFolder, { recursive: true });
  try {
    writeFileSync(path.join(stateFolder, fileName), `${key}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  } catch {
    const known = readLocalKey(stateFolder);
    if (known !== undefined) return known;
    throw new Error(
      `${path.join(stateFolder, fileName)} holds no key. Put the right one back; without it personal data cannot be read.`,
    );
  }
}
