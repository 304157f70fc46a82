import { stat } from 'node:fs/promises';
import { checkPlatformConfig, formatProblems } from '@latch/config';
import { type SystemOptions } from './system-options.ts';

/** @throws Error with the list that `latch config check` prints, when no service could start with this configuration. */
export async function assertConfigIsGood({ configFolder }: Pick<SystemOptions, 'configFolder'>): Promise<void> {
  if (!(await isFolder(configFolder)))
    throw new Error(`There is no configuration folder ${configFolder}. Set LATCH_CONFIG_DIR to one that exists.`);
  const { config, problems } = await checkPlatformConfig(configFolder);
  if (config !== null) return;
  throw new Error(
    [`Nothing was started: the configuration has errors.`, formatProblems(problems, configFolder)].join('\n'),
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
