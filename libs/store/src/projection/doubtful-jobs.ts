import type { Sql } from '../database/database.ts';
import { NOT_ENDED } from '../jobs/not-ended.ts';
import type { SchemaNames } from '../schema-names.ts';
import { IS_LEFT, isAdrift } from './doubt.ts';
import type { DoubtfulJob } from './types.ts';

interface DoubtfulRow {
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  readonly generation: number;
  readonly attempt: number;
  readonly run: string;
  readonly done_at_ms: number | null;
  readonly result: string | null;
}

/** Jobs whose state may not be the last word, and what their claims say. Each reason by its own index. */
export async function doubtfulJobs(
  sql: Sql,
  schemas: SchemaNames,
  limit: number,
): Promise<DoubtfulJob[]> {
  const { primary, projection } = schemas;
  const jobs = `${projection}.jobs AS j`;
  const rows = await sql.query<DoubtfulRow>(
    `WITH doubtful AS (
        SELECT j.* FROM ${jobs} WHERE ${IS_LEFT}
        UNION
        SELECT j.* FROM ${jobs} WHERE ${isAdrift(schemas)}
        UNION
        SELECT missed.* FROM ${projection}.drops AS d CROSS JOIN LATERAL (
          SELECT j.* FROM ${jobs}
          WHERE j.state IN ('${NOT_ENDED.join("', '")}') AND d.queue IN (j.queue, '')
            AND j.created_at_ms <= d.to_ms AND j.updated_at_ms <= d.to_ms
          ORDER BY j.created_at_ms LIMIT $1::int
        ) AS missed
      )
      SELECT j.id, j.queue, j.type, j.generation, j.attempt, j.run, c.result,
        floor(extract(epoch FROM c.lease_ends_at) * 1000)::bigint AS done_at_ms
      FROM doubtful AS j
      LEFT JOIN ${primary}.claims AS c ON c.id = j.id AND c.queue = j.queue AND c.is_done
      ORDER BY j.created_at_ms, j.id, j.queue LIMIT $1::int`,
    [limit],
  );
  return rows.map(({ done_at_ms, result, ...job }) => ({
    ...job,
    done: done_at_ms === null ? undefined : { atMs: done_at_ms, result: result ?? undefined },
  }));
}
