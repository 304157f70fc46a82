import { type Command } from 'commander';
import { type ExportOptions } from './commands/evidence-export.ts';
import { type ProjectionsOptions } from './commands/projections-rebuild.ts';
import { type RebuildOptions } from './commands/replay-rebuild.ts';
import { type RedecideOptions } from './commands/replay-redecide.ts';
import { type ReemitOptions } from './commands/replay-reemit.ts';
import { type VerifyOptions } from './commands/verify.ts';
import { type CliSettings } from './config.ts';

/** The commands about what the event store proves (DESIGN section 8). All but `histories` end with 0: equal, 1: something differs, 2: could not run. */
export function addReplayCommands(program: Command, settings: CliSettings): void {
  addReplay(program.command('replay').description('replay what the event store holds; never with an effect'), settings);
  program
    .command('verify [file]')
    .description('check the evidence: the whole event store, or an evidence bundle without any database')
    .option('--tenant <id>', 'only the conversations of this tenant')
    .option('--public-key <file>', 'PEM with the public key that the seals must be signed with')
    .option(
      '--last-seal <seal>',
      'hash of a seal, or a file that an earlier `latch verify` printed: none up to it may be gone',
    )
    .option(
      '--sealed-within <minutes>',
      'events that are older must be sealed; 15 with --public-key unless set, else not asked for',
    )
    .option('--json', 'the report for machines')
    .action(async (file: string | undefined, options: VerifyOptions) =>
      (await import('./commands/verify.ts')).verify(settings, file, options),
    );
  program
    .command('evidence')
    .description('evidence bundles')
    .command('export <transaction_id>')
    .description('one file that proves what happened in a transaction; `latch verify FILE` checks it')
    .option('--tenant <id>', 'tenant of the transaction', 'default')
    .option('--out <file>', 'file to write; default: standard output')
    .option('--html', 'a page for people instead')
    .option('--public-key <file>', 'PEM with the public key of the seals, to put into the file')
    .action(async (id: string, options: ExportOptions) =>
      (await import('./commands/evidence-export.ts')).exportEvidence(settings, id, options),
    );
  addProjections(program.command('projections').description('the tables that are made from the events'), settings);
  const histories = program.command('histories').description('the recorded histories in contracts/histories/');
  histories
    .command('record')
    .description('play every scripted conversation with this engine and keep it as a history of this release')
    .action(async () => (await import('./commands/histories.ts')).recordHistoriesOfRelease());
  histories
    .command('check')
    .description('replay the histories of every release, with the network off')
    .action(async () => (await import('./commands/histories.ts')).checkRecordedHistories());
}

function addProjections(projections: Command, settings: CliSettings): void {
  projections
    .command('rebuild')
    .description(
      'make transactions, items, response look-up and tool ledger again from the events, while the system runs',
    )
    .option('--tenant <id>', 'only those of this tenant')
    .option('--json', 'the report for machines')
    .action(async (options: ProjectionsOptions) =>
      (await import('./commands/projections-rebuild.ts')).rebuildProjectionsOfStore(settings, options),
    );
  projections
    .command('verify')
    .description('compare every row of them with the events, while the system runs; it changes nothing')
    .option('--tenant <id>', 'only those of this tenant')
    .option('--json', 'the report for machines')
    .action(async (options: ProjectionsOptions) =>
      (await import('./commands/projections-verify.ts')).verifyProjectionsOfStore(settings, options),
    );
}

const workersByDefault = 'default: one for each 2,000 of them, no more than cores and four at most';

function addReplay(replay: Command, settings: CliSettings): void {
  replay
    .command('rebuild')
    .description('fold the events and compare with the stored state; --at: the state of a conversation at a version')
    .option('--conversation <key>', 'only this one: tenant_id:agent_id:session_id')
    .option('--at <version>', 'print the state after this event instead (with --conversation)')
    .option('--tenant <id>', 'only the conversations of this tenant')
    .option('--workers <count>', `threads that share the conversations, 16 at most; ${workersByDefault}`)
    .option('--clear', 'show the values that differ: they may be personal')
    .option('--json', 'the report for machines')
    .action(async (options: RebuildOptions) =>
      (await import('./commands/replay-rebuild.ts')).replayRebuild(settings, options),
    );
  replay
    .command('redecide')
    .description('decide everything again from the recorded inputs, readings and configurations; nothing is read anew')
    .option('--against <folder>', 'with another configuration instead: which conversations would have gone otherwise')
    .option('--conversation <key>', 'only this one')
    .option('--tenant <id>', 'only the conversations of this tenant')
    .option('--since <instant>', 'only conversations in which something happened since then')
    .option('--limit <count>', 'at most so many conversations')
    .option('--show <count>', 'how many conversations that differ are shown', '20')
    .option('--workers <count>', `threads that share the conversations, 16 at most; ${workersByDefault}`)
    .option('--clear', 'show what was said, asked for and answered: it may be personal')
    .option('--json', 'the report for machines')
    .action(async (options: RedecideOptions) =>
      (await import('./commands/replay-redecide.ts')).replayRedecide(settings, options),
    );
  replay
    .command('reemit')
    .description('publish again what was published in a stretch of time, marked as replay')
    .requiredOption('--topic <topic>', 'what was published there')
    .requiredOption('--from <instant>', 'from this instant on')
    .requiredOption('--to <instant>', 'until before this instant')
    .option('--to-topic <topic>', 'publish there instead; not one of the topics that Latch itself consumes')
    .option('--tenant <id>', 'only the conversations of this tenant')
    .option('--rate <count>', 'messages a second', '100')
    .option('--limit <count>', 'stop after so many messages')
    .option('--resume <file>', 'keep the place in this file, and go on from it')
    .option('--dry-run', 'count only')
    .option('--json', 'the report for machines')
    .action(async (options: ReemitOptions) =>
      (await import('./commands/replay-reemit.ts')).replayReemit(settings, options),
    );
}
