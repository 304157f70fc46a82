import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { sweepFunction } from './sweep-functions.ts';

/**
 * What an evidence bundle is made of can be read by whoever exports one: the receipts of the tenant's own calls, and of a seal nothing but the hashes that prove
 * that a head is among those that it signs.
 */
export class EvidenceReads1765300000000 implements MigrationInterface {
  readonly name = 'EvidenceReads1765300000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...grants, ...leaves]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const grants = [
  `GRANT SELECT ON approved_invocations, tool_ledger, tool_attempts TO latch_ingress`,
  `CREATE INDEX approved_invocations_by_transaction ON approved_invocations (transaction_id)`,
];

/** The same bytes as `leafOf` hashes: the canonical JSON of a head. */
const leaves = sweepFunction({
  name: 'leaves_of_seal',
  parameters: ['of_seal bigint'],
  returns: 'text[]',
  body: `
    SELECT array_agg(encode(sha256(convert_to(
      '["head",' || to_json(h.stream_id::text) || ',' || to_json(h.tenant_id) || ',' || h.stream_version || ',"' || encode(h.hash, 'hex') || '"]',
      'UTF8')), 'hex') ORDER BY h.stream_id)
    FROM sealed_heads h WHERE h.seal_number = of_seal`,
  roles: ['latch_ingress', 'latch_console', 'latch_auditor', 'latch_maintenance'],
});
