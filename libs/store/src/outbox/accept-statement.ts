import { JOB_COLUMNS, ON_JOB_CONFLICT } from '../projection/upsert-jobs.ts';
import { columnList, recordSet } from '../record-set.ts';
import type { SchemaNames } from '../schema-names.ts';
import { MESSAGE_COLUMNS } from './message-row.ts';

/** Beside the message: the key, if the job has one. */
export const ACCEPT_COLUMNS = {
  ...MESSAGE_COLUMNS,
  key: 'text',
  payload_hash: 'text',
} as const;

/**
 * Accepts jobs in one statement, and so in one transaction. `$1`: messages with their keys, `$2`: rows of jobs, both as
 * JSON; `$3`: ms until a relay may take the messages.
 *
 * A key that is there is "updated" to what it is: that waits for a transaction that is writing it, locks the row and
 * returns it, where `DO NOTHING` would return nothing. `xmax` is 0 in rows that are new.
 */
export function acceptStatement({ primary, projection }: SchemaNames): string {
  return `WITH input AS MATERIALIZED (SELECT * FROM ${recordSet(ACCEPT_COLUMNS, 1)}),
    keys AS (
      INSERT INTO ${primary}.idempotency_keys AS k (key, job_id, payload_hash)
      SELECT key, id, payload_hash FROM input WHERE key IS NOT NULL ORDER BY key
      ON CONFLICT (key) DO UPDATE SET job_id = k.job_id
      RETURNING k.key, k.job_id, k.payload_hash, xmax = 0 AS is_new
    ),
    decided AS MATERIALIZED (
      SELECT input.*, coalesce(keys.is_new, true) AS is_new, keys.job_id AS first_id,
        keys.payload_hash AS first_hash
      FROM input LEFT JOIN keys ON keys.key = input.key
    ),
    messages AS (
      INSERT INTO ${primary}.outbox (id, due_at, exchange, routing_key, body, properties)
      SELECT id, clock_timestamp() + $3::float8 * interval '1 ms', exchange, routing_key, decode(body, 'base64'), properties
      FROM decided WHERE is_new ORDER BY ord
      ON CONFLICT (id) DO NOTHING
    ),
    jobs AS (
      INSERT INTO ${projection}.jobs AS j (${columnList(JOB_COLUMNS)})
      SELECT ${columnList(JOB_COLUMNS)} FROM ${recordSet(JOB_COLUMNS, 2)}
      WHERE id IN (SELECT id FROM decided WHERE is_new)
      ${ON_JOB_CONFLICT}
    )
    SELECT ord, first_id, first_hash FROM decided WHERE NOT is_new`;
}
