import pg from 'pg';
import { newNamespace } from './namespace.ts';
import { sharedDatabaseUrl } from './test-stores.ts';

/** PostgreSQL as a service has it for itself, in a schema of its own on the shared server. */
export interface OwnDatabase {
  readonly url: string;
  readonly schema: string;
  readonly pool: pg.Pool;
  /** Runs the work in a transaction, which is rolled back if the work throws. */
  transaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
  /** Drops the schema. */
  dispose(): Promise<void>;
}

/** Opens it; the schema is not made yet. With `schema`, one that another process uses too. */
export function ownDatabase(schema = newNamespace()): OwnDatabase {
  const url = sharedDatabaseUrl();
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  return {
    url,
    schema,
    pool,
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
    async dispose() {
      await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      await pool.end();
    },
  };
}

/** Runs the work on a database of its own, for what uses schemas by fixed names; with its URL, for other processes. */
export async function withScratchDatabase<Result>(
  work: (pool: pg.Pool, url: string) => Promise<Result>,
): Promise<Result> {
  const name = newNamespace();
  const admin = new pg.Client({ connectionString: sharedDatabaseUrl() });
  await admin.connect();
  await admin.query(`CREATE DATABASE "${name}"`);
  const url = new URL(sharedDatabaseUrl());
  url.pathname = name;
  const pool = new pg.Pool({ connectionString: url.href });
  // It ends before its connections have, and the database goes from under them.
  pool.on('error', () => {});
  try {
    return await work(pool, url.href);
  } finally {
    await pool.end();
    await admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
    await admin.end();
  }
}
