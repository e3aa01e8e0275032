import pg from 'pg';

/** What a committed insert survives where PostgreSQL is left as it is installed. */
export const POSTGRES_SYNCED = 'PostgreSQL, each commit synced to disk (synchronous_commit on)';

/** Removes a schema with all that is in it. */
export async function dropSchema(databaseUrl: string, schema: string): Promise<void> {
  await ask(databaseUrl, `drop schema if exists ${schema} cascade`);
}

/** The server's version, and whether it is set to keep what it commits. */
export async function postgresVersion(databaseUrl: string): Promise<string> {
  const [row] = await ask(
    databaseUrl,
    `select current_setting('server_version') || ' (fsync ' || current_setting('fsync')
      || ', synchronous_commit ' || current_setting('synchronous_commit') || ')' as version`,
  );
  return String(row?.['version']);
}

async function ask(databaseUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // Says which objects it dropped, at length.
  client.on('notice', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
