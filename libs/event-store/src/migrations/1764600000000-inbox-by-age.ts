import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Old claims are found by their age, to be forgotten. */
export class InboxByAge1764600000000 implements MigrationInterface {
  readonly name = 'InboxByAge1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX inbox_by_age ON inbox (received_at)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
