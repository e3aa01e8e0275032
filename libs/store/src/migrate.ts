import { StoreTooNewError } from '@warren/contracts';
import type { Database, Sql } from './database/database.ts';
import { MIGRATIONS, type Migration } from './migrations/index.ts';
import type { SchemaNames } from './schema-names.ts';

const NEWEST = MIGRATIONS.length;

/** The version that the schema has; 0 for none. */
export async function versionOf(sql: Sql, schemas: SchemaNames): Promise<number> {
  const table = `${schemas.primary}.migrations`;
  const [found] = await sql.query<{ there: boolean }>(
    'SELECT to_regclass($1::text) IS NOT NULL AS there',
    [table],
  );
  if (found?.there !== true) return 0;
  const [row] = await sql.query<{ version: number | null }>(
    `SELECT max(version)::int AS version FROM ${table}`,
  );
  return row?.version ?? 0;
}

/**
 * Brings the schema to the newest version that this code knows. Processes that start together wait for each other.
 * @throws StoreTooNewError when the schema is newer than the code
 */
export async function migrateUp(database: Database, schemas: SchemaNames): Promise<void> {
  if ((await checkedVersion(database, schemas)) === NEWEST) return;
  await migrateTo(database, schemas, NEWEST);
}

/**
 * Brings the schema to a version, up or down, in one transaction. Down loses what the undone steps' tables held.
 * @throws StoreTooNewError when the schema is newer than the code
 */
export function migrateTo(
  database: Database,
  schemas: SchemaNames,
  version: number,
): Promise<void> {
  return database.transaction(async (sql) => {
    await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))', [
      `${schemas.plain} migrations`,
    ]);
    await database.script(baseScript(schemas), sql);
    const found = await checkedVersion(sql, schemas);
    for (const step of MIGRATIONS.slice(found, version)) await stepUp(database, sql, schemas, step);
    for (const step of MIGRATIONS.slice(version, found).reverse()) {
      await stepDown(database, sql, schemas, step);
    }
  });
}

async function checkedVersion(sql: Sql, schemas: SchemaNames): Promise<number> {
  const version = await versionOf(sql, schemas);
  if (version > NEWEST) throw new StoreTooNewError(schemas.plain, version, NEWEST);
  return version;
}

function baseScript({ primary, projection }: SchemaNames): string {
  return `
    SET LOCAL client_min_messages = warning;
    -- Whoever comes for a table that a step waits for waits behind it: a dump must not stop the jobs that run meanwhile.
    SET LOCAL lock_timeout = '2s';
    CREATE SCHEMA IF NOT EXISTS ${primary};
    CREATE SCHEMA IF NOT EXISTS ${projection};
    CREATE TABLE IF NOT EXISTS ${primary}.migrations (
      version integer PRIMARY KEY,
      name text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    );
  `;
}

async function stepUp(database: Database, sql: Sql, schemas: SchemaNames, step: Migration) {
  await database.script(step.up(schemas), sql);
  await sql.query(
    `INSERT INTO ${schemas.primary}.migrations (version, name) VALUES ($1::int, $2::text)`,
    [step.version, step.name],
  );
}

async function stepDown(database: Database, sql: Sql, schemas: SchemaNames, step: Migration) {
  await database.script(step.down(schemas), sql);
  await sql.query(`DELETE FROM ${schemas.primary}.migrations WHERE version = $1::int`, [
    step.version,
  ]);
}
