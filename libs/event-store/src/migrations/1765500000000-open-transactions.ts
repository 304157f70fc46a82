import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { sweepFunction } from './sweep-functions.ts';

/** How many transactions are open, over all tenants: the metric `latch_transactions_active`. */
export class OpenTransactions1765500000000 implements MigrationInterface {
  readonly name = 'OpenTransactions1765500000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [openTransactionsIndex, ...openTransactions]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

/** Only the open ones, whatever the table has grown to; a change of status does not touch it. */
const openTransactionsIndex = `CREATE INDEX transactions_not_ended ON transactions (transaction_id) WHERE ended_at IS NULL`;

const openTransactions = sweepFunction({
  name: 'open_transactions',
  parameters: [],
  returns: 'TABLE (status text, count int)',
  body: `SELECT status, count(*)::int FROM transactions WHERE ended_at IS NULL GROUP BY status`,
  roles: ['latch_orchestrator'],
});
