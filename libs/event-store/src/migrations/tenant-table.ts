/**
 * The roles that Latch knows in Postgres. None may log in and none owns a table: a login of the installation is a member of exactly one of them, and every
 * connection takes it up (`openEventStore({ role })`), also where the login owns the database.
 */
export const storeRoles = [
  'latch_ingress',
  'latch_orchestrator',
  'latch_tool_executor',
  'latch_evaluator',
  'latch_console',
  'latch_maintenance',
  'latch_auditor',
] as const;

/**
 * One of them. The five services are named after themselves. `latch_maintenance` is the operator's hand (erase, retention, rebuild, acceptance of a tool);
 * `latch_auditor` reads everything and writes nothing (verify, replay).
 */
export type StoreRole = (typeof storeRoles)[number];

/** Members may open the scope `*`, all tenants: maintenance, auditor, and the owner, as whom the sweeping functions run. */
export const allTenantsRole = 'latch_all_tenants';

/** What a role may do with the rows of a table. */
export type TablePrivilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

/** A table, and who may do what with it. `latch_auditor` may always read. */
export type TableGrants = {
  /** Name of the table; it has a column `tenant_id`, unless it is a platform table. */
  readonly table: string;
  readonly grants: Partial<Record<StoreRole, readonly TablePrivilege[]>>;
};

/**
 * Statements that give a table of tenants its row-level security and its grants, for the migration that makes the table: a role sees and writes only rows of
 * the tenants that its transaction has set (`app.tenants`), the owner included (FORCE). Who may open all tenants does so by the name `*`.
 */
export function tenantTable(of: TableGrants): readonly string[] {
  const { table } = of;
  return [
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
    // In a sub-select the setting is read once per statement and not once per row.
    `CREATE POLICY own_tenants ON ${table} USING (tenant_id = ANY ((SELECT current_tenants())::text[]))`,
    `CREATE POLICY all_tenants ON ${table} TO ${allTenantsRole} USING ((SELECT '*' = ANY (current_tenants())))`,
    ...grantsOf(of),
  ];
}

/** Statements that give a table that belongs to no tenant (such as the catalogue of tools) its grants. */
export function platformTable(of: TableGrants): readonly string[] {
  return grantsOf(of);
}

function grantsOf({ table, grants }: TableGrants): readonly string[] {
  const roles = storeRoles.filter((role) => role === 'latch_auditor' || (grants[role] ?? []).length > 0);
  return roles.map((role) => {
    const privileges = new Set<TablePrivilege>(grants[role] ?? []);
    if (role === 'latch_auditor') privileges.add('SELECT');
    return `GRANT ${[...privileges].join(', ')} ON ${table} TO ${role}`;
  });
}
