import { failure, type Result, success } from '@latch/contracts';
import { z } from 'zod';
import { type ConfigProblem } from './config-problem.ts';
import { readConfigFolder } from './config-folder.ts';
import { Name, type Parsed, parseSection, section } from './parse-section.ts';
import { childEnvironment, type Environment } from './read-environment.ts';
import { type YamlFile } from './yaml-file.ts';

/** For how long personal data is kept, in days; null: for ever. Per tenant, with a default for those that are not named. */
export type PrivacyConfig = {
  readonly defaultDays: number | null;
  readonly tenants: Readonly<Record<string, number | null>>;
};

/** Reads `privacy.yaml`: for how long each tenant keeps personal data. */
export function readPrivacyFile(file: YamlFile): Parsed<PrivacyConfig> {
  return parseSection(file, PrivacySchema, 'by a file with it nothing is let go of');
}

/**
 * The rules of `privacy.yaml` in a configuration folder; without the file personal data is kept for ever.
 *
 * @returns every problem of the file, if there is one. What is let go of never comes back, so nothing is by rules of which a part was not understood: who misspelled
 *   `tenants` meant to keep the data of some tenant for longer than the default. A folder that is not there and a file under another ending are such problems too.
 */
export async function loadPrivacyConfig(
  dir: string,
  env: Environment = childEnvironment(),
): Promise<Result<PrivacyConfig, readonly ConfigProblem[]>> {
  const { shared, problems } = await readConfigFolder(dir, env);
  const file = shared.get('privacy.yaml');
  const read = file === undefined || file === 'unusable' ? { value: null, problems: [] } : readPrivacyFile(file);
  const found = [...problems.filter((problem) => concernsRetention.test(problem.file)), ...read.problems];
  if (found.length > 0) return failure(found);
  return success(read.value ?? { defaultDays: null, tenants: {} });
}

/** The file, whatever its ending, or the whole folder. */
const concernsRetention = /^(?:privacy\.ya?ml|\.)$/i;

const Days = z.number().int().min(1).max(36_500).nullable();

const PrivacySchema = section({
  version: z.unknown().optional(),
  default_retention_days: Days.default(null),
  tenants: z.record(Name, section({ retention_days: Days })).default({}),
}).transform(({ default_retention_days, tenants }): PrivacyConfig => ({
  defaultDays: default_retention_days,
  tenants: Object.fromEntries(
    Object.entries(tenants).map(([tenantId, { retention_days }]) => [tenantId, retention_days]),
  ),
}));
