import type { Sql } from '../database/database.ts';
import type { SchemaNames } from '../schema-names.ts';
import { PROVISIONAL_STATE } from './job-row.ts';

/**
 * Empties the projection, but for what history does not tell: jobs that wait in the outbox, and those that were accepted and
 * of which nothing was told since.
 */
export async function clearProjection(sql: Sql, schemas: SchemaNames): Promise<void> {
  const { primary, projection } = schemas;
  await sql.query(
    `LOCK TABLE ${projection}.jobs, ${projection}.attempts, ${projection}.logs, ${projection}.offsets, ${projection}.drops
      IN ACCESS EXCLUSIVE MODE`,
  );
  await sql.query(
    `CREATE TEMPORARY TABLE kept_jobs ON COMMIT DROP AS
      SELECT * FROM ${projection}.jobs AS j
      WHERE j.state = '${PROVISIONAL_STATE}' OR EXISTS (SELECT FROM ${primary}.outbox AS o WHERE o.id = j.id)`,
  );
  await sql.query(
    `TRUNCATE ${projection}.jobs, ${projection}.attempts, ${projection}.logs, ${projection}.offsets, ${projection}.drops`,
  );
  await sql.query(`INSERT INTO ${projection}.jobs SELECT * FROM kept_jobs`);
}
