import type { Sql } from '../database/database.ts';
import type { SchemaNames } from '../schema-names.ts';

export interface PruneOptions {
  readonly endedBeforeMs: number;
  readonly limit: number;
}

/** Ended, and nobody has to do anything about them any more. */
const FORGETTABLE = ['succeeded', 'cancelled', 'expired', 'discarded'];

/**
 * Deletes ended jobs with their runs and lines, the oldest first; returns how many jobs. The keys that they answered for go
 * with them: nobody could tell any more that such a job has ended.
 */
export async function pruneJobs(
  sql: Sql,
  { primary, projection: schema }: SchemaNames,
  { endedBeforeMs, limit }: PruneOptions,
): Promise<number> {
  // What ended before then was created before then, which the index by state knows.
  const oldest = FORGETTABLE.map(
    (state) => `(SELECT id, queue FROM ${schema}.jobs
      WHERE state = '${state}' AND created_at_ms < $1::bigint AND finished_at_ms < $1::bigint
      ORDER BY created_at_ms LIMIT $2::int)`,
  );
  const rows = await sql.query<{ count: number }>(
    `WITH old AS (SELECT id, queue FROM (${oldest.join(' UNION ALL ')}) AS o LIMIT $2::int),
      jobs AS (DELETE FROM ${schema}.jobs AS j USING old WHERE j.id = old.id AND j.queue = old.queue
        AND j.finished_at_ms < $1::bigint RETURNING j.id, j.queue),
      attempts AS (DELETE FROM ${schema}.attempts AS a USING jobs WHERE a.id = jobs.id AND a.queue = jobs.queue),
      logs AS (DELETE FROM ${schema}.logs AS l USING jobs WHERE l.id = jobs.id AND l.queue = jobs.queue),
      keys AS (DELETE FROM ${primary}.unique_keys AS k USING jobs
        WHERE k.kind = 'active' AND k.job_id = jobs.id AND k.type = jobs.queue)
    SELECT count(*) AS count FROM jobs`,
    [Math.trunc(endedBeforeMs), limit],
  );
  return rows[0]?.count ?? 0;
}
