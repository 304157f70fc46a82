-- The roles of Latch, for an installation whose migrating login may not make roles itself. Run once by an administrator, in the database of Latch, with the
-- name of the login that migrates (MIGRATION_DATABASE_URL) and owns the tables in the first line. docs/how-to/postgres-roles.md explains each role.
-- It may be run again: what is there is left as it is.
SET latch.owner = 'latch_owner';

DO $$
DECLARE role text;
BEGIN
  FOREACH role IN ARRAY ARRAY['latch_ingress', 'latch_orchestrator', 'latch_tool_executor', 'latch_evaluator', 'latch_console',
    'latch_maintenance', 'latch_auditor', 'latch_all_tenants'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', role); END IF;
  END LOOP;
  EXECUTE format('GRANT latch_all_tenants TO latch_maintenance, latch_auditor, %I', current_setting('latch.owner'));
END $$;

-- One login per service, a member of its role and of nothing else; passwords come from your secret store. For example:
--   CREATE ROLE orchestrator LOGIN PASSWORD '...' IN ROLE latch_orchestrator;
--   CREATE ROLE ingress      LOGIN PASSWORD '...' IN ROLE latch_ingress;
