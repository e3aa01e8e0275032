import type { Sender } from '../outgoing-job.ts';
import type { LeasedMessage, OutboxPort, SqlRunner } from './outbox-port.ts';
import { type OutboxTableOptions, outboxTable } from './outbox-table.ts';
import { fromStoredJob, type StoredJob } from './stored-job.ts';

/**
 * The table that `publishInTransaction` writes, for a relay. Where a job goes in is decided when it is leased: what was to be
 * delayed may be due by then.
 */
export function postgresOutbox(
  pool: SqlRunner,
  sender: Sender,
  options: OutboxTableOptions,
): OutboxPort {
  const statements = statementsFor(outboxTable(options));
  return {
    async lease({ owner, limit, maxBytes, leaseMs }) {
      const { rows } = await pool.query(statements.lease, [owner, limit, leaseMs, maxBytes]);
      return rows.map((row) => leased(sender, row));
    },
    async done(ids) {
      if (ids.length > 0) await pool.query(statements.done, [ids]);
    },
    async putBack(ids, { delayMs, problem }) {
      if (ids.length === 0) return;
      // PostgreSQL has no NUL.
      await pool.query(statements.putBack, [ids, delayMs, problem.replaceAll('\0', '')]);
    },
    async pending() {
      const { rows } = await pool.query(statements.pending, []);
      const { count, oldest } = rows[0] ?? {};
      return {
        count: Number(count ?? 0),
        oldestAtMs: typeof oldest === 'number' ? oldest : undefined,
      };
    },
  };
}

/** Numbers come as text or floats: drivers differ in how they give a bigint. */
function statementsFor(table: string) {
  return {
    lease: `WITH due AS MATERIALIZED (
        SELECT seq, due_at, octet_length(body) AS bytes FROM ${table} WHERE due_at <= statement_timestamp()
        ORDER BY due_at, seq LIMIT $2::int FOR UPDATE SKIP LOCKED
      ), taken AS (
        SELECT seq FROM (SELECT seq, sum(bytes) OVER (ORDER BY due_at, seq) AS bytes, row_number() OVER (ORDER BY due_at, seq) AS place FROM due) AS d
        WHERE place = 1 OR bytes <= $4::float8
      ), leased AS (
        UPDATE ${table} AS o SET due_at = clock_timestamp() + $3::float8 * interval '1 ms',
          leases = leases + 1, leased_by = $1::text
        FROM taken WHERE o.seq = taken.seq
        RETURNING o.seq, o.id, o.type, o.body, o.properties, o.not_before_ms, o.leases
      )
      SELECT seq::text, id, type, body, properties, not_before_ms::float8, leases
      FROM leased ORDER BY leased.seq`,
    done: `DELETE FROM ${table} WHERE seq = ANY($1::bigint[])`,
    putBack: `UPDATE ${table} SET due_at = clock_timestamp() + $2::float8 * interval '1 ms', problem = $3::text
      WHERE seq = ANY($1::bigint[])`,
    pending: `SELECT count(*)::float8 AS count,
        (extract(epoch FROM (SELECT created_at FROM ${table} ORDER BY seq LIMIT 1)) * 1000)::float8 AS oldest
      FROM ${table}`,
  };
}

function leased(sender: Sender, row: Record<string, unknown>): LeasedMessage {
  const { exchange, routingKey, body, properties } = fromStoredJob(sender, stored(row), Date.now());
  return {
    id: String(row['seq']),
    exchange,
    routingKey,
    body,
    properties,
    leases: Number(row['leases']),
  };
}

function stored(row: Record<string, unknown>): StoredJob {
  const notBeforeMs = row['not_before_ms'];
  return {
    id: String(row['id']),
    type: String(row['type']),
    body: Buffer.from(row['body'] as Uint8Array),
    properties: JSON.parse(String(row['properties'])) as StoredJob['properties'],
    ...(typeof notBeforeMs === 'number' && { notBeforeMs }),
  };
}
