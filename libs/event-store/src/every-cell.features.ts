import { type StoreFixture } from './store-fixture.features.ts';

/** Every row of every table as text, as a dump of the database has them; bytes also as the text that they may be. */
export async function everyCell(fixture: Pick<StoreFixture, 'sql'>): Promise<string> {
  await fixture.sql(`SELECT set_config('app.tenants', '{*}', false)`);
  const tables = await fixture.sql<{ name: string }>(
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
  );
  const cells: string[] = [];
  for (const { name } of tables) {
    const rows = await fixture.sql<Record<string, unknown> & { row: string }>(
      `WITH scope AS (SELECT set_config('app.tenants', '{*}', false)) SELECT t.*, t::text AS row FROM scope, ${name} t`,
    );
    cells.push(...rows.flatMap((row) => [row.row, ...Object.values(row).map(textIn)]));
  }
  return cells.join('\n');
}

function textIn(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('utf8') : '';
}
