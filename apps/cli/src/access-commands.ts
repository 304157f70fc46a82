import { type Command } from 'commander';
import { type NewApiKeyOptions } from './commands/api-key-new.ts';

/** The commands about who may call. */
export function addAccessCommands(program: Command): void {
  program
    .command('api-key')
    .description('the keys that callers are known by')
    .command('new')
    .description('make a key, print it once, and the entry for the file that LATCH_API_KEYS_FILE names')
    .requiredOption('--tenant <id>', 'the tenant that it is for')
    .requiredOption('--scope <names...>', 'what it is for: speak, speak-for-others, read, operate, evaluate')
    .requiredOption('--id <name>', 'its name in logs and in the file')
    .option('--days <count>', 'how long it is good', '90')
    .option('--label <text>', 'a remark for people')
    .option('--json', 'key and entry for machines')
    .action(async (options: NewApiKeyOptions) => (await import('./commands/api-key-new.ts')).newApiKey(options));
}
