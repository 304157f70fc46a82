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
  return parseSection(file, PrivacySchema);
}

/**
 * The rules of `privacy.yaml` in a configuration folder; without the file personal data is kept for ever.
 *
 * @returns every problem of the file when at least one is an error: nothing is let go of by rules that cannot be read.
 */
export async function loadPrivacyConfig(
  dir: string,
  env: Environment = childEnvironment(),
): Promise<Result<PrivacyConfig, readonly ConfigProblem[]>> {
  const { shared, problems } = await readConfigFolder(dir, env);
  const file = shared.get('privacy.yaml');
  if (file === undefined) return success({ defaultDays: null, tenants: {} });
  if (file === 'unusable') return failure(problems.filter((problem) => problem.file === 'privacy.yaml'));
  const read = readPrivacyFile(file);
  return read.value === null ? failure(read.problems) : success(read.value);
}

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
