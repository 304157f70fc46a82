import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { sweepFunctions } from './sweep-functions.ts';
import { allTenantsRole, storeRoles, type TableGrants, tenantTable } from './tenant-table.ts';

/**
 * Roles of the services, row-level security with FORCE on every table, and grants: events can only be inserted and read. What a service does for all tenants at
 * once (deadlines, relay, leases, old claims) are functions with a name each; nobody but operator and auditor can open all tenants.
 */
export class RolesAndTenants1765000000000 implements MigrationInterface {
  readonly name = 'RolesAndTenants1765000000000';

  async up(runner: QueryRunner): Promise<void> {
    const roles = [...[...storeRoles, allTenantsRole].map(createRole), ...memberships];
    for (const statement of [...roles, ...scope, ...tables.flatMap(tenantTable), ...otherGrants, ...sweepFunctions]) {
      await runner.query(statement);
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

/**
 * Roles belong to the whole Postgres, and other databases of it may be migrated at this moment: whoever comes second finds the work done. An owner that may not
 * make roles gets them from its administrator (`deploy/sql/roles.sql`).
 */
function createRole(role: string): string {
  return `DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF;
  EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
    WHEN insufficient_privilege THEN
      RAISE EXCEPTION 'This login may not make the role ${role}: let an administrator run deploy/sql/roles.sql once, then migrate again' USING ERRCODE = 'insufficient_privilege';
  END $$`;
}

/** XX000 is "tuple concurrently updated": another database's migration gave the same membership at this moment. */
function addMember(member: string): string {
  return `DO $$ BEGIN
    IF NOT pg_has_role(${member === 'CURRENT_USER' ? 'current_user' : `'${member}'`}, '${allTenantsRole}', 'USAGE') THEN
      GRANT ${allTenantsRole} TO ${member};
    END IF;
  EXCEPTION WHEN internal_error OR unique_violation THEN NULL;
  END $$`;
}

const memberships = ['latch_maintenance', 'latch_auditor', 'CURRENT_USER'].map(addMember);

const scope = [
  `CREATE FUNCTION current_tenants() RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE
   RETURN NULLIF(current_setting('app.tenants', true), '')::text[]`,
];

const read = ['SELECT'] as const;
const grow = ['SELECT', 'INSERT'] as const;
const keep = ['SELECT', 'INSERT', 'UPDATE'] as const;
const all = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;

const readers = { latch_ingress: read, latch_console: read } as const;

/** Events are only ever inserted, by the engine alone. */
export const grantsOfEvents: TableGrants['grants'] = {
  ...readers,
  latch_orchestrator: grow,
  latch_maintenance: read,
};

const tables: readonly TableGrants[] = [
  {
    table: 'streams',
    grants: { ...readers, latch_orchestrator: grow, latch_tool_executor: read, latch_evaluator: read },
  },
  { table: 'events', grants: grantsOfEvents },
  { table: 'conversations', grants: { ...readers, latch_orchestrator: keep, latch_maintenance: keep } },
  { table: 'transactions', grants: { ...readers, latch_orchestrator: keep, latch_maintenance: all } },
  { table: 'transaction_items', grants: { ...readers, latch_orchestrator: all, latch_maintenance: all } },
  { table: 'turns', grants: { ...readers, latch_orchestrator: keep, latch_maintenance: all } },
  { table: 'inbox', grants: { latch_orchestrator: grow } },
  {
    table: 'outbox',
    grants: { latch_orchestrator: grow, latch_tool_executor: grow, latch_maintenance: grow, latch_console: read },
  },
  {
    table: 'approved_invocations',
    grants: {
      latch_orchestrator: grow,
      latch_tool_executor: read,
      latch_evaluator: read,
      latch_console: read,
      latch_maintenance: keep,
    },
  },
  {
    table: 'tool_ledger',
    grants: { latch_tool_executor: keep, latch_orchestrator: read, latch_console: read, latch_maintenance: all },
  },
  {
    table: 'tool_attempts',
    grants: { latch_tool_executor: keep, latch_orchestrator: read, latch_console: read, latch_maintenance: all },
  },
  { table: 'evaluation_evidence', grants: { latch_evaluator: all, latch_console: read } },
  { table: 'evaluation_turns', grants: { latch_evaluator: all, latch_console: read } },
  { table: 'evaluation_results', grants: { latch_evaluator: keep, latch_console: read } },
];

/** A configuration has the tenant '*', all that the agent serves: whoever has opened a tenant sees it, and whoever has not as well. */
const configVersions = [
  ...tenantTable({
    table: 'config_versions',
    grants: {
      ...readers,
      latch_orchestrator: grow,
      latch_tool_executor: read,
      latch_evaluator: read,
      latch_maintenance: grow,
    },
  }),
  `CREATE POLICY shared ON config_versions USING (tenant_id = '*')`,
];

const otherGrants = [
  ...configVersions,
  `GRANT USAGE ON SCHEMA public TO ${storeRoles.join(', ')}`,
  `GRANT USAGE ON SEQUENCE event_positions TO latch_orchestrator`,
  `GRANT SELECT ON schema_migrations TO ${storeRoles.join(', ')}`,
];
