import { Command } from 'commander';
import { diffContracts, generateContracts } from './commands/contracts.ts';
import { doctor } from './commands/doctor.ts';
import { start } from './commands/start.ts';
import { type CliSettings } from './config.ts';

/** The command line of `latch`. Each command is one file in `commands/`; it prints its result and sets `process.exitCode`. */
export function buildProgram(settings: CliSettings): Command {
  const program = new Command('latch').description(
    'Agent transactions on an event bus. Run as: npm run latch <command>',
  );
  program
    .command('start')
    .description('start everything on this machine, until Ctrl-C')
    .action(() => start(settings));
  program
    .command('doctor')
    .description('what this machine has and lacks for running Latch')
    .action(() => doctor(settings));
  const contracts = program.command('contracts').description('the published contracts in contracts/');
  contracts.command('generate').description('write them from the sources').action(generateContracts);
  contracts.command('diff').description('fail when they differ from the sources').action(diffContracts);
  return program;
}
