import type { Sql } from '../database/database.ts';
import type { RunningJob } from './types.ts';

interface RunningRow {
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  readonly generation: number;
  readonly attempt: number;
  readonly run: string;
  readonly worker: string | null;
  readonly started_at_ms: number | null;
}

/** Jobs in the state `running`, the oldest first. */
export async function runningJobs(sql: Sql, schema: string, limit: number): Promise<RunningJob[]> {
  const rows = await sql.query<RunningRow>(
    `SELECT id, queue, type, generation, attempt, run, run_worker AS worker, run_started_at_ms AS started_at_ms
      FROM ${schema}.jobs WHERE state = 'running' AND run_id = run
      ORDER BY created_at_ms, id, queue LIMIT $1::int`,
    [limit],
  );
  return rows.map(({ worker, started_at_ms, ...job }) => ({
    ...job,
    worker: worker ?? undefined,
    startedAtMs: started_at_ms ?? undefined,
  }));
}
