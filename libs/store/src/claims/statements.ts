import { type Columns, recordSet } from '../record-set.ts';

/** Whose claim is asked for. */
export interface AskedRow {
  readonly id: string;
  readonly queue: string;
  readonly lease_ms: number;
  readonly owner: string;
}

/** Whose work is done. */
export interface DoneRow {
  readonly id: string;
  readonly queue: string;
  readonly token: number;
  /** JSON text. */
  readonly result: string;
}

const ASKED: Columns<AskedRow> = {
  id: 'text',
  queue: 'text',
  lease_ms: 'float8',
  owner: 'text',
};

const DONE: Columns<DoneRow> = { id: 'text', queue: 'text', token: 'bigint', result: 'text' };

const LEASE_END = "clock_timestamp() + $4::float8 * interval '1 ms'";
const ONE = 'id = $1::text AND queue = $2::text AND token = $3::bigint AND NOT is_done';

/**
 * The statements of the claims. Those that every job asks take many rows, each job or claim at most once, and lock them in
 * one order: two processes would otherwise wait for each other.
 */
export function claimStatements(table: string) {
  return {
    take: `INSERT INTO ${table} AS c (id, queue, lease_ends_at, token, owner)
      SELECT id, queue, clock_timestamp() + lease_ms * interval '1 ms', 1, owner FROM ${recordSet(ASKED, 1)}
      ORDER BY id COLLATE "C", queue COLLATE "C"
      ON CONFLICT (id, queue) DO UPDATE SET
        token = c.token + 1, owner = excluded.owner, lease_ends_at = excluded.lease_ends_at
      WHERE NOT c.is_done AND c.lease_ends_at <= clock_timestamp()
      RETURNING id, queue, token`,
    complete: `WITH r AS MATERIALIZED (SELECT * FROM ${recordSet(DONE, 1)}),
      held AS MATERIALIZED (
        SELECT id, queue FROM ${table} AS c JOIN r USING (id, queue) WHERE c.token = r.token AND NOT c.is_done
        ORDER BY c.id, c.queue FOR UPDATE OF c)
      UPDATE ${table} AS c SET is_done = true, result = r.result, lease_ends_at = clock_timestamp()
      FROM r JOIN held USING (id, queue)
      WHERE c.id = r.id AND c.queue = r.queue AND c.token = r.token AND NOT c.is_done
      RETURNING c.id, c.queue, c.token`,
    look: `SELECT is_done, result, lease_ends_at <= clock_timestamp() AS is_free,
        ceil(extract(epoch FROM lease_ends_at) * 1000)::bigint AS ends
      FROM ${table} WHERE id = $1::text AND queue = $2::text`,
    // Also late, as long as nobody else took it.
    renew: `UPDATE ${table} SET lease_ends_at = ${LEASE_END} WHERE ${ONE} RETURNING token`,
    // The row stays, so that the next token is greater.
    release: `UPDATE ${table} SET lease_ends_at = clock_timestamp() WHERE ${ONE} RETURNING token`,
  };
}
