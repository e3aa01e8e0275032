import { runAdmin } from '@warren/admin';
import { sharedBrokerUrl, sharedDatabaseUrl } from '@warren/testing';

/** All rows of the projection, told from others by a few letters. */
export async function fingerprint(sql: (text: string) => Promise<Record<string, unknown>[]>) {
  const of = async (table: string, key: string) =>
    (
      await sql(
        `SELECT count(*)::int AS rows, md5(string_agg(t::text, '|' ORDER BY ${key})) AS hash FROM projection.${table} AS t`,
      )
    )[0];
  return {
    jobs: await of('jobs', 'id, queue'),
    attempts: await of('attempts', 'id, queue, run'),
    logs: await of('logs', 'id, queue, run, seq'),
  };
}

export async function rebuild(namespace: string) {
  let [stdout, stderr] = ['', ''];
  const code = await runAdmin(['store', 'rebuild'], {
    env: {
      AMQP_URL: sharedBrokerUrl(),
      DATABASE_URL: sharedDatabaseUrl(),
      WARREN_NAMESPACE: namespace,
    },
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    isTerminal: false,
    signal: new AbortController().signal,
    jobs: [],
  });
  return { code, stdout, stderr };
}
