import type { HistoryEvent } from '@warren/history';
import type { Database, Sql } from '../database/database.ts';
import type { SchemaNames } from '../schema-names.ts';
import { clearProjection } from './clear.ts';
import { countRows } from './count-rows.ts';
import { doubtfulJobs } from './doubtful-jobs.ts';
import { foldEvents } from './fold-events.ts';
import { cutLogs, insertLogs, overfullLogs } from './insert-logs.ts';
import { keepDrops } from './keep-drops.ts';
import { keepOffset, offsetStatements } from './keep-offset.ts';
import type { LogRow } from './log-lines.ts';
import { type PruneOptions, pruneJobs } from './prune.ts';
import { runningJobs } from './running-jobs.ts';
import type { Projection } from './types.ts';
import { upsertAttempts } from './upsert-attempts.ts';
import { upsertJobs } from './upsert-jobs.ts';

type Statements = Readonly<
  Record<'jobs' | 'attempts' | 'logs' | 'overfull' | 'cut' | 'offset', string>
>;

/** Rolls a transaction back. */
class OffsetMoved extends Error {}

/** The projection over a database whose schema is there. */
export function createProjection(database: Database, schemas: SchemaNames): Projection {
  const schema = schemas.projection;
  const statements = statementsFor(schema);
  const offsets = offsetStatements(schema);
  return {
    async apply(events, offset, drops = []) {
      try {
        await database.transaction(async (sql) => {
          await write(sql, statements, events);
          await keepDrops(sql, schema, drops);
          if (offset && !(await keepOffset(sql, offsets, offset))) throw new OffsetMoved();
        });
        return true;
      } catch (error) {
        if (error instanceof OffsetMoved) return false;
        throw error;
      }
    },
    async offset(stream) {
      const [row] = await database.query<{ offset: number }>(statements.offset, [stream]);
      return row?.offset;
    },
    running: ({ limit }) => runningJobs(database, schema, limit),
    doubtful: ({ limit }) => doubtfulJobs(database, schemas, limit),
    countRows: () => countRows(database, schema),
    clear: () => database.transaction((sql) => clearProjection(sql, schemas)),
    prune: (options: PruneOptions) => pruneJobs(database, schemas, options),
  };
}

function statementsFor(schema: string): Statements {
  return {
    jobs: upsertJobs(schema),
    attempts: upsertAttempts(schema),
    logs: insertLogs(schema),
    overfull: overfullLogs(schema),
    cut: cutLogs(schema),
    offset: `SELECT "offset" FROM ${schema}.offsets WHERE stream = $1::text`,
  };
}

async function write(
  sql: Sql,
  statements: Statements,
  events: readonly HistoryEvent[],
): Promise<void> {
  const { jobs, attempts, logs } = foldEvents(events);
  if (jobs.length > 0) await sql.query(statements.jobs, [JSON.stringify(jobs)]);
  if (attempts.length > 0) await sql.query(statements.attempts, [JSON.stringify(attempts)]);
  if (logs.length > 0) await writeLogs(sql, statements, logs);
}

async function writeLogs(sql: Sql, statements: Statements, logs: readonly LogRow[]): Promise<void> {
  await sql.query(statements.logs, [JSON.stringify(logs)]);
  const written = new Map(logs.map(({ id, queue }) => [`${queue}\0${id}`, { id, queue }]));
  const overfull = await sql.query(statements.overfull, [JSON.stringify([...written.values()])]);
  if (overfull.length > 0) await sql.query(statements.cut, [JSON.stringify(overfull)]);
}
