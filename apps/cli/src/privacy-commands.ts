import { type Command } from 'commander';
import { type EraseOptions } from './commands/erase.ts';
import { type RewrapOptions } from './commands/keys-rewrap.ts';
import { type RetentionOptions } from './commands/retention.ts';
import { type CliSettings } from './config.ts';

/** The commands about personal data. */
export function addPrivacyCommands(program: Command, settings: CliSettings): void {
  program
    .command('erase')
    .description('forget a person: destroy the data keys and leave tombstones; every chain still verifies')
    .option('--tenant <id>', 'tenant of the person', 'default')
    .option('--subject <id>', 'user id of the person')
    .option('--conversation <key>', 'conversation of a person who gave no name')
    .option('--wait <seconds>', 'how long to wait for calls and messages that are under way', '15')
    .option('--even-if-under-way', 'erase although a call is under way: nobody is told any more how it ended')
    .option('--json', 'the report for machines')
    .action(async (options: EraseOptions) => (await import('./commands/erase.ts')).erase(settings, options));
  program
    .command('retention')
    .description('for how long personal data is kept, per tenant: privacy.yaml')
    .command('apply')
    .description('let go of what is older than its tenant keeps it')
    .option('--json', 'the report for machines')
    .action(async (options: RetentionOptions) =>
      (await import('./commands/retention.ts')).retention(settings, options),
    );
  program
    .command('keys')
    .description('the keys that personal data is sealed with')
    .command('rewrap')
    .description('wrap every data key with the first key of LATCH_DATA_KEY; then the others can be taken out')
    .option('--json', 'the report for machines')
    .action(async (options: RewrapOptions) =>
      (await import('./commands/keys-rewrap.ts')).rewrapKeysOfStore(settings, options),
    );
}
