import { readEnvironment } from '@latch/config';
import { cliSettings } from './config.ts';
import { buildProgram } from './program.ts';

const settings = readEnvironment(cliSettings);
if (!settings.ok) {
  process.stderr.write(`${settings.error}\n`);
  // 1 is what some commands say of what they found; a command whose settings are wrong could not run.
  process.exit(2);
}
try {
  await buildProgram(settings.value).parseAsync();
  process.exit();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
