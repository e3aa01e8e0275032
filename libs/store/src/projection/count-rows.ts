import type { Sql } from '../database/database.ts';

/** Rows of all tables of the projection. */
export async function countRows(sql: Sql, schema: string): Promise<number> {
  const counts = ['jobs', 'attempts', 'logs'].map(
    (table) => `(SELECT count(*) FROM ${schema}.${table})`,
  );
  const [row] = await sql.query<{ rows: number }>(`SELECT ${counts.join(' + ')} AS rows`, []);
  return row?.rows ?? 0;
}
