import { readEnvironment } from '@latch/config';
import { cliSettings } from './config.ts';
import { buildProgram } from './program.ts';

const settings = readEnvironment(cliSettings);
try {
  if (!settings.ok) throw new Error(settings.error);
  await buildProgram(settings.value).parseAsync();
  process.exit();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
