import { answerStops, wantsJson } from '../../../deploy/local/stops.mjs';

const args = process.argv.slice(2);
answerStops(args);
try {
  // Loaded behind it: what a command is made of takes a moment, in which it can be stopped already.
  const { runCli } = await import('./run-cli.ts');
  await runCli(args);
  process.exit();
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  if (wantsJson(args)) process.stdout.write(`${JSON.stringify({ outcome: 'could_not_run', reason })}\n`);
  else process.stderr.write(`${reason}\n`);
  // 1 is what some commands say of what they found; a command that ends so could not run.
  process.exit(2);
}
