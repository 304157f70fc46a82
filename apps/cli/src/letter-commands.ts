import { type Command } from 'commander';
import { type LettersListOptions } from './commands/dead-letters-list.ts';
import { type LettersRedriveOptions } from './commands/dead-letters-redrive.ts';
import { type LettersShowOptions } from './commands/dead-letters-show.ts';
import { type CliSettings } from './config.ts';

/** The commands about messages that could not be handled. */
export function addLetterCommands(program: Command, settings: CliSettings): void {
  const letters = program
    .command('dead-letters')
    .description('messages that could not be handled: look at them, send them again');
  withFilter(letters.command('list').description('the newest dead letters, masked, and which were sent again'), '50')
    .option('--json', 'the letters for machines')
    .action(async (options: LettersListOptions) =>
      (await import('./commands/dead-letters-list.ts')).listDeadLetters(settings, options),
    );
  letters
    .command('show <letter>')
    .description('one letter, as the list names it: why it died, and whether its message may be sent again')
    .option('--json', 'the letter for machines')
    .action(async (id: string, options: LettersShowOptions) =>
      (await import('./commands/dead-letters-show.ts')).showDeadLetter(settings, id, options),
    );
  withFilter(
    letters.command('redrive [letters...]').description('put the messages of letters back on their topics'),
    '100',
  )
    .option('--again', 'also what was sent again before')
    .option('--even-if-old', 'also what a person said more than a day ago')
    .option('--by <name>', 'who sends it; default: the user of this machine')
    .option('--rate <count>', 'messages a second', '10')
    .option('--dry-run', 'only show what would be sent and what not')
    .option('--yes', 'send more than one without asking')
    .option('--json', 'the report for machines')
    .action(async (ids: string[], options: LettersRedriveOptions) =>
      (await import('./commands/dead-letters-redrive.ts')).redriveDeadLetters(settings, ids, options),
    );
}

function withFilter(command: Command, limit: string): Command {
  return command
    .option('--topic <topic>', 'of messages of this topic, without a prefix')
    .option('--code <code>', 'with this reason, such as message.unhandled')
    .option('--tenant <id>', 'of this tenant; a message that names none is of `unknown`')
    .option('--since <instant>', 'given up at this instant or later')
    .option('--until <instant>', 'given up before this instant')
    .option('--limit <count>', 'at most so many letters', limit);
}
