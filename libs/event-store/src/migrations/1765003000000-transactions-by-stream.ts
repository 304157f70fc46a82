import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A rebuild of the projections finds the transactions of one stream, also those that should not be there. */
export class TransactionsByStream1765003000000 implements MigrationInterface {
  readonly name = 'TransactionsByStream1765003000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX transactions_by_stream ON transactions (stream_id)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
