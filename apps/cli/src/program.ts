import { Command } from 'commander';
import { addAccessCommands } from './access-commands.ts';
import { type CatalogueAcceptOptions, type CatalogueListOptions } from './commands/catalogue.ts';
import { type DemoOptions } from './commands/demo.ts';
import { type ExplainOptions } from './commands/explain.ts';
import { type McpCheckOptions } from './commands/mcp-check.ts';
import { type SendOptions } from './commands/send.ts';
import { type CliSettings } from './config.ts';
import { addLetterCommands } from './letter-commands.ts';
import { addReplayCommands } from './replay-commands.ts';
import { addPrivacyCommands } from './privacy-commands.ts';
import { print } from './terminal.ts';

/**
 * The command line of `latch`. Each command is one file in `commands/`; it prints its result and sets `process.exitCode`. It is loaded when it is run: who asks
 * for a check of the store does not wait for the packages of all services.
 *
 * @param isForMachines whether words that it does not understand are told as one JSON object too. @default false
 */
export function buildProgram(settings: CliSettings, isForMachines = false): Command {
  const program = new Command('latch').description(
    'Agent transactions on an event bus. Run as: npm run latch <command>',
  );
  // 1 is what some commands say of what they found; a command that was not understood could not run.
  program.exitOverride(({ exitCode, message }) => {
    if (exitCode === 0) process.exit(0);
    // Commander has told a person already.
    if (isForMachines) print(JSON.stringify({ outcome: 'could_not_run', reason: message.replace(/^error: /, '') }));
    process.exit(2);
  });
  addSystemCommands(program, settings);
  addConversationCommands(program, settings);
  addConfigurationCommands(program, settings);
  addCatalogueCommands(program, settings);
  addAccessCommands(program);
  addLetterCommands(program, settings);
  addPrivacyCommands(program, settings);
  addReplayCommands(program, settings);
  return program;
}

function addSystemCommands(program: Command, settings: CliSettings): void {
  program
    .command('start')
    .description('start everything on this machine, until Ctrl-C')
    .action(async () => (await import('./commands/start.ts')).start(settings));
  program
    .command('doctor')
    .description('what this machine has and lacks for running Latch')
    .action(async () => (await import('./commands/doctor.ts')).doctor(settings));
  program
    .command('prepare')
    .description('migrations and topics of the Postgres and Kafka that DATABASE_URL and KAFKA_BROKERS name')
    .action(async () => (await import('./commands/prepare.ts')).prepare(settings));
}

function addConversationCommands(program: Command, settings: CliSettings): void {
  program
    .command('demo')
    .description(
      'play the conversations of the source documents and check every expectation; starts what is not running',
    )
    .option('--only <ids>', 'some of them, such as A,D')
    .option('--json', 'a report for machines instead of the chats')
    .action(async (options: DemoOptions) => (await import('./commands/demo.ts')).demo(settings, options));
  program
    .command('chat')
    .description('talk to an agent in the terminal; starts what is not running')
    .option('--agent <id>', 'agent to talk to', 'telecom_contas')
    .option('--session <id>', 'go on with an earlier conversation')
    .action(async (options: { agent: string; session?: string }) =>
      (await import('./commands/chat.ts')).chat(settings, options),
    );
  program
    .command('send <text>')
    .description('send one message to the running system')
    .option('--agent <id>', 'agent to talk to', 'telecom_contas')
    .option('--session <id>', 'conversation to go on with; default: a new one')
    .option('--inputs <json>', 'what a button or form adds: payload.inputs as JSON')
    .option('--url <url>', 'ingress to send to; default: the one that runs here')
    .option('--json', 'print the whole ChannelResponse')
    .action(async (text: string, options: SendOptions) =>
      (await import('./commands/send.ts')).send(settings, text, options),
    );
  program
    .command('explain')
    .description('why a turn went as it did: the reading, the rule that won and what lost, the state, the calls')
    .requiredOption('--conversation <key>', 'tenant_id:agent_id:session_id')
    .option('--message <id>', 'message id of the turn; default: the last one')
    .option('--url <url>', 'ingress to ask; default: the one that runs here')
    .option('--json', 'the TurnExplanation as it came')
    .action(async (options: ExplainOptions) => (await import('./commands/explain.ts')).explain(settings, options));
}

function addCatalogueCommands(program: Command, settings: CliSettings): void {
  const catalogue = program.command('catalogue').description('the pinned schemas of the tools of MCP servers');
  catalogue
    .command('list')
    .description('what is accepted, and what waits for acceptance')
    .option('--server <name>', 'of one server')
    .option('--pending', 'only what waits')
    .option('--json', 'the rows for machines')
    .action(async (options: CatalogueListOptions) =>
      (await import('./commands/catalogue.ts')).listCatalogue(settings, options),
    );
  catalogue
    .command('accept <server> <tool>')
    .description('let a tool be called with the schema that its server has now')
    .requiredOption('--hash <hash>', 'the schema that the list showed, or its beginning')
    .option('--by <name>', 'who accepts it; default: the user of this machine')
    .action(async (server: string, tool: string, options: CatalogueAcceptOptions) =>
      (await import('./commands/catalogue.ts')).acceptTool(settings, { server, tool }, options),
    );
}

function addConfigurationCommands(program: Command, settings: CliSettings): void {
  const config = program.command('config').description('the configuration folder');
  config
    .command('check [folder]')
    .description('report every problem with file, line and column')
    .action(async (folder: string | undefined) =>
      (await import('./commands/config-check.ts')).checkConfig(settings, folder),
    );
  program
    .command('mcp')
    .description('domain MCP servers')
    .command('check <url>')
    .description('the conformance lab: is a domain MCP server ready for transactions?')
    .option('--plan <file>', 'what may be called there, such as deploy/lab/mcp-telecom.yaml')
    .option('--header <name=VARIABLE...>', 'send a header, its value from an environment variable')
    .option('--out <file>', 'write the report as a page (Markdown)')
    .option('--json', 'the report for machines')
    .action(async (url: string, options: McpCheckOptions) =>
      (await import('./commands/mcp-check.ts')).checkMcpServer(url, options),
    );
  const contracts = program.command('contracts').description('the published contracts in contracts/');
  contracts
    .command('generate')
    .description('write them from the sources')
    .action(async () => (await import('./commands/contracts.ts')).generateContracts());
  contracts
    .command('diff')
    .description('fail when they differ from the sources, or break who relies on the last release')
    .action(async () => (await import('./commands/contracts.ts')).diffContracts());
  contracts
    .command('release <version>')
    .description('keep them as a release, which later ones are compared with')
    .action(async (version: string) => (await import('./commands/contracts.ts')).releaseContracts(version));
  program
    .command('docs')
    .description('the reference pages in docs/ that are made from the sources')
    .command('generate')
    .description('write them')
    .action(async () => (await import('./commands/docs.ts')).generateDocs());
}
