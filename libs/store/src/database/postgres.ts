import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigInvalidError } from '@warren/contracts';
import type { Logger } from '@warren/telemetry';
import pg from 'pg';
import type { Database, Sql, SqlValue } from './database.ts';
import { SessionLocks } from './session-locks.ts';
import { isAway, isInTheWay, storeError } from './unavailable.ts';

export interface PostgresOptions {
  readonly databaseUrl: string;
  /** Connections at most. */
  readonly maxConnections?: number | undefined;
  /** How long a statement may take, and the way to the server. */
  readonly timeoutMs?: number | undefined;
  readonly logger: Logger;
}

const CONNECT_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 5_000;
const TIMEOUT_MS = 30_000;
const REPEATS = 5;
const OID_INT8 = 20;

/** `bigint` as number: what is stored in them stays below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === OID_INT8 ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;

/** PostgreSQL through a pool. Nothing is connected before the first statement. */
export function openPostgres(options: PostgresOptions): Database {
  const pool = createPool(options);
  const broke = (error: Error) => options.logger.debug({ err: error }, 'a connection broke');
  // Whoever uses the connection hears of it too; without these the process would end.
  pool.on('error', broke);
  pool.on('connect', (client) => client.on('error', broke));
  const locks = new SessionLocks(pool);
  let closed: Promise<void> | undefined;
  return {
    kind: 'postgres',
    query: (text, values) => guarded(() => repeated(() => runOn(pool, text, values))),
    transaction: (work) => guarded(() => repeated(() => transaction(pool, work))),
    async script(text, sql) {
      await (sql ?? { query: (script: string) => runOn(pool, script) }).query(text);
    },
    tryLock: (name) => guarded(() => locks.tryLock(name)),
    close: () => (closed ??= closePool(pool, locks)),
  };
}

/** A server that does not answer must not hold up the end of a process. */
async function closePool(pool: pg.Pool, locks: SessionLocks): Promise<void> {
  locks.releaseAll();
  await Promise.race([pool.end(), pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}

function createPool({ databaseUrl, maxConnections = 10, timeoutMs = TIMEOUT_MS }: PostgresOptions) {
  try {
    if (!/^postgres(ql)?:$/.test(new URL(databaseUrl).protocol)) throw new Error('protocol');
    return new pg.Pool({
      connectionString: databaseUrl,
      application_name: 'warren',
      max: maxConnections,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: timeoutMs,
      // Nobody waits for a statement any more after that: the server must not do it later, behind everybody's back.
      // The pool waits for what this returns, which its types do not say.
      onConnect: (client): unknown => client.query(`SET statement_timeout = ${timeoutMs}`),
      keepAlive: true,
      types,
    });
  } catch {
    throw new ConfigInvalidError('DATABASE_URL', 'is no URL such as postgres://user@host/database');
  }
}

/** Statements with parameters are prepared once for each connection. */
async function runOn<Row>(
  target: pg.Pool | pg.PoolClient,
  text: string,
  values?: readonly SqlValue[],
): Promise<Row[]> {
  const query = values === undefined ? { text } : { name: nameOf(text), text, values: [...values] };
  return (await target.query(query)).rows as Row[];
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  names.set(text, name);
  return name;
}

async function transaction<Result>(
  pool: pg.Pool,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const sql: Sql = { query: (text, values) => runOn(client, text, values) };
  try {
    await client.query('BEGIN');
    const result = await work(sql);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    await giveUp(client, error);
    throw error;
  }
}

/** A connection that failed is not used again; one that works is rolled back. */
async function giveUp(client: pg.PoolClient, error: unknown): Promise<void> {
  if (isAway(error)) return client.release(true);
  await client.query('ROLLBACK').then(
    () => client.release(),
    () => client.release(true),
  );
}

async function repeated<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let left = REPEATS; ; left -= 1) {
    try {
      return await run();
    } catch (error) {
      if (left === 0 || !isInTheWay(error)) throw error;
    }
  }
}

async function guarded<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw storeError(error);
  }
}
