import { type Sql } from './database.ts';

/**
 * The schema as text, the same on every Postgres version: tables with their columns, constraints, indexes, triggers, functions, row-level security, policies and
 * grants, each sorted by name. Partitions, whose names go by the calendar, are left out. `schema.sql` holds it, and a test compares the two, so that a review sees what a migration changes.
 */
export async function describeSchema(sql: Sql): Promise<string> {
  const [columns, definitions] = await Promise.all([sql<Column>(columnsSql), sql<Definition>(definitionsSql)]);
  const tables = [...new Set(columns.map(({ table_name }) => table_name))].map((table) => {
    const lines = columns.filter(({ table_name }) => table_name === table).map(columnLine);
    return `CREATE TABLE ${table} (\n${lines.join(',\n')}\n);`;
  });
  return `${[...tables, ...definitions.map(({ definition }) => `${definition};`)].join('\n\n')}\n`;
}

type Column = {
  table_name: string;
  column_name: string;
  type: string;
  collation: string | null;
  is_required: boolean;
  default_value: string | null;
};
type Definition = { definition: string };

function columnLine(column: Column): string {
  const collation = column.collation ? ` COLLATE "${column.collation}"` : '';
  const required = column.is_required ? ' NOT NULL' : '';
  const byDefault = column.default_value ? ` DEFAULT ${column.default_value}` : '';
  return `  ${column.column_name} ${column.type}${collation}${byDefault}${required}`;
}

const ours = `SELECT oid, relname, relkind, relacl, relrowsecurity, relforcerowsecurity FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;

const columnsSql = `
  SELECT t.relname::text AS table_name, a.attname::text AS column_name, format_type(a.atttypid, a.atttypmod) AS type,
    CASE WHEN c.collname <> 'default' THEN c.collname::text END AS collation, a.attnotnull AS is_required,
    CASE WHEN a.attidentity <> '' THEN 'identity' ELSE pg_get_expr(d.adbin, d.adrelid) END AS default_value
  FROM (${ours}) t
  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_collation c ON c.oid = a.attcollation
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  ORDER BY t.relname, a.attnum`;

const definitionsSql = `
  SELECT definition FROM (
    SELECT 1 AS part, t.relname || con.conname AS name,
      format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, con.conname, pg_get_constraintdef(con.oid)) AS definition
    FROM (${ours}) t JOIN pg_constraint con ON con.conrelid = t.oid AND con.contype <> 'n'
    UNION ALL
    SELECT 2, i.relname, pg_get_indexdef(x.indexrelid)
    FROM (${ours}) t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
    WHERE NOT EXISTS (SELECT FROM pg_constraint con WHERE con.conindid = x.indexrelid)
    UNION ALL
    SELECT 3, p.proname, pg_get_functiondef(p.oid) FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 4, t.relname || g.tgname, pg_get_triggerdef(g.oid)
    FROM (${ours}) t JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
    UNION ALL
    SELECT 5, t.relname, format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY%s', t.relname,
      CASE WHEN t.relforcerowsecurity THEN ', FORCE ROW LEVEL SECURITY' ELSE '' END)
    FROM (${ours}) t WHERE t.relrowsecurity
    UNION ALL
    SELECT 6, p.tablename || p.policyname, format('CREATE POLICY %I ON %I FOR %s TO %s USING (%s)%s', p.policyname, p.tablename, p.cmd,
      array_to_string(p.roles, ', '), p.qual, ' WITH CHECK (' || p.with_check || ')')
    FROM pg_policies p WHERE p.schemaname = 'public'
    UNION ALL
    SELECT 7, t.relname || r.rolname, format('GRANT %s ON TABLE %I TO %I', string_agg(a.privilege_type, ', ' ORDER BY a.privilege_type),
      t.relname, r.rolname)
    FROM (${ours}) t, aclexplode(t.relacl) a JOIN pg_roles r ON r.oid = a.grantee
    WHERE r.rolname LIKE 'latch\\_%' GROUP BY t.relname, r.rolname
    UNION ALL
    SELECT 8, p.proname || r.rolname, format('GRANT EXECUTE ON FUNCTION %I TO %I', p.proname, r.rolname)
    FROM pg_proc p, aclexplode(p.proacl) a JOIN pg_roles r ON r.oid = a.grantee
    WHERE p.pronamespace = 'public'::regnamespace AND r.rolname LIKE 'latch\\_%'
  ) AS parts ORDER BY part, name`;
