import type { JobState } from '@warren/history';
import { cleanText } from '../clean-text.ts';
import type { Database } from '../database/database.ts';
import type { AttemptRow } from '../projection/fold-attempt.ts';
import { LIMITS } from '../projection/limits.ts';
import type { SchemaNames } from '../schema-names.ts';
import { errorOf, jobRecord, jobSelect, type SeenJobRow } from './job-record.ts';
import { listJobs } from './list-jobs.ts';
import { readLog } from './log-lines.ts';
import { NOT_ENDED } from './not-ended.ts';
import type { AttemptRecord, JobReader } from './types.ts';

/** Reads over a database whose schema is there. */
export function createJobReader(database: Database, schemas: SchemaNames): JobReader {
  const schema = schemas.projection;
  const find = `SELECT ${jobSelect(schemas)} FROM ${schema}.jobs AS j WHERE id = $1::text ORDER BY queue`;
  const attempts = `SELECT * FROM ${schema}.attempts
    WHERE id = $1::text AND queue = $2::text AND run <> ''
    ORDER BY generation, attempt, run LIMIT ${LIMITS.attempts}`;
  const counts = `SELECT queue, state, count(*) AS count FROM ${schema}.jobs
    WHERE state IN ('${NOT_ENDED.join("', '")}') GROUP BY queue, state ORDER BY queue, state`;
  return {
    async find(id) {
      return (await database.query<SeenJobRow>(find, [cleanText(id)])).map(jobRecord);
    },
    async attempts(queue, id) {
      const rows = await database.query<AttemptRow>(attempts, [cleanText(id), cleanText(queue)]);
      return rows.map(attemptRecord);
    },
    list: (filter) => listJobs(database, schemas, filter),
    log: (queue, id, page) => readLog(database, schema, { queue, id }, page),
    counts: () => database.query<{ queue: string; state: JobState; count: number }>(counts, []),
  };
}

function attemptRecord(row: AttemptRow): AttemptRecord {
  const hasEnded = row.outcome_rank > 0;
  return {
    generation: row.generation,
    attempt: row.attempt,
    run: row.run,
    worker: row.worker ?? undefined,
    startedAtMs: row.started_at_ms ?? undefined,
    endedAtMs: hasEnded ? row.ended_at_ms : undefined,
    outcome: hasEnded ? row.outcome : undefined,
    error: errorOf(row.error),
  };
}
