import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An attempt names the step of the workflow that it belongs to. */
export class AttemptsOfSteps1765100000000 implements MigrationInterface {
  readonly name = 'AttemptsOfSteps1765100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tool_attempts ADD COLUMN step text COLLATE "C"`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
