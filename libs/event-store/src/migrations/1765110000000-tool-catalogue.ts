import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { platformTable } from './tenant-table.ts';

/** The pinned schemas of the servers' tools, and the alarms that are open. Both are about servers, and so belong to no tenant. */
export class ToolCatalogue1765110000000 implements MigrationInterface {
  readonly name = 'ToolCatalogue1765110000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [catalogueTable, alarmsTable, ...grants]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const catalogueTable = `
  CREATE TABLE tool_catalogue (
    server text COLLATE "C" NOT NULL,
    tool text COLLATE "C" NOT NULL,
    observed_hash text COLLATE "C" NOT NULL,
    accepted_hash text COLLATE "C" NOT NULL,
    input_schema json NOT NULL,
    output_schema json,
    accepted_input_schema json NOT NULL,
    accepted_output_schema json,
    observed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    accepted_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    accepted_by text COLLATE "C" NOT NULL,
    PRIMARY KEY (server, tool)
  )`;

const alarmsTable = `
  CREATE TABLE open_alarms (
    alarm_id text COLLATE "C" PRIMARY KEY,
    condition text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    facts json NOT NULL,
    raised_at timestamptz(3) NOT NULL,
    owner text COLLATE "C" NOT NULL,
    lease_until timestamptz(3) NOT NULL,
    UNIQUE (condition, subject)
  )`;

const grants = [
  ...platformTable({
    table: 'tool_catalogue',
    grants: {
      latch_tool_executor: ['SELECT', 'INSERT', 'UPDATE'],
      latch_orchestrator: ['SELECT'],
      latch_console: ['SELECT'],
      latch_maintenance: ['SELECT', 'UPDATE'],
    },
  }),
  ...platformTable({
    table: 'open_alarms',
    grants: { latch_tool_executor: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'], latch_console: ['SELECT'] },
  }),
];
