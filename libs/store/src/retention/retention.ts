import type { Sql } from '../database/database.ts';
import type { SchemaNames } from '../schema-names.ts';
import type { Retention } from './types.ts';

/**
 * Forgets what is old, by the database's clock. Its age is asked once more where the row is deleted: somebody may have taken
 * it anew since it was chosen, and a deletion that waited for that looks at nothing else.
 */
export function createRetention(sql: Sql, { primary, projection }: SchemaNames): Retention {
  const cutoff = "(clock_timestamp() - $1::float8 * interval '1 ms')";
  const cutoffMs = `floor(extract(epoch FROM ${cutoff}) * 1000)::bigint`;
  const keys = `DELETE FROM ${primary}.idempotency_keys WHERE key IN (
      SELECT key FROM ${primary}.idempotency_keys AS k WHERE created_at < ${cutoff} AND NOT EXISTS (
        SELECT FROM ${projection}.jobs AS j
        WHERE j.id = k.job_id AND coalesce(j.finished_at_ms >= ${cutoffMs}, true))
      ORDER BY created_at LIMIT $2::int) RETURNING 1`;
  const claims = `DELETE FROM ${primary}.claims WHERE (id, queue) IN (
      SELECT id, queue FROM ${primary}.claims WHERE lease_ends_at < ${cutoff}
      ORDER BY lease_ends_at LIMIT $2::int) AND lease_ends_at < ${cutoff} RETURNING 1`;
  // One that waits for the broker may still be replaced.
  const uniqueKeys = `DELETE FROM ${primary}.unique_keys WHERE (kind, type, key) IN (
      SELECT kind, type, key FROM ${primary}.unique_keys AS k WHERE ends_at < ${cutoff} AND NOT EXISTS (
        SELECT FROM ${primary}.outbox AS o WHERE o.id = k.job_id AND o.waits_until IS NOT NULL)
      ORDER BY ends_at LIMIT $2::int) AND ends_at < ${cutoff} RETURNING 1`;
  const limits = `DELETE FROM ${primary}.limits WHERE (name, key) IN (
      SELECT name, key FROM ${primary}.limits
      WHERE greatest(full_at_ms, put_off_to_ms) < extract(epoch FROM ${cutoff}) * 1000
      ORDER BY greatest(full_at_ms, put_off_to_ms) LIMIT $2::int FOR UPDATE SKIP LOCKED) RETURNING 1`;
  const checkpoints = `DELETE FROM ${primary}.leases WHERE (id, queue) IN (
      SELECT id, queue FROM ${primary}.leases WHERE state = 'away' AND lease_ends_at < ${cutoff}
      ORDER BY lease_ends_at LIMIT $2::int FOR UPDATE SKIP LOCKED) RETURNING 1`;
  const run = async (statement: string, options: { olderThanMs: number; limit: number }) =>
    (await sql.query(statement, [options.olderThanMs, options.limit])).length;
  return {
    idempotencyKeys: (options) => run(keys, options),
    claims: (options) => run(claims, options),
    uniqueKeys: ({ limit }) => run(uniqueKeys, { olderThanMs: 0, limit }),
    limits: (options) => run(limits, options),
    checkpoints: (options) => run(checkpoints, options),
  };
}
