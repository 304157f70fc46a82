import { answerStops, endCouldNotRun } from '../../../deploy/local/stops.mjs';

const args = process.argv.slice(2);
const end = (error: unknown): never => endCouldNotRun(args, error instanceof Error ? error.message : String(error));
answerStops(args);
// What nobody awaited would end the process with 1, which says of a replay that something differs.
process.on('uncaughtException', end);
process.on('unhandledRejection', end);
try {
  // Loaded behind it: what a command is made of takes a moment, in which it can be stopped already.
  const { runCli } = await import('./run-cli.ts');
  await runCli(args);
  process.exit();
} catch (error) {
  end(error);
}
