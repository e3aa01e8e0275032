import { cutText } from '../clean-text.ts';
import type { Database } from '../database/database.ts';
import { GroupCommit } from '../group-commit.ts';
import { LIMITS } from '../projection/limits.ts';
import { type AskedRow, claimStatements, type DoneRow } from './statements.ts';
import type { Claim, Claims } from './types.ts';

const MAX_ROWS = 500;
const MAX_BYTES = 4 * 1024 * 1024;

interface JobKey {
  readonly id: string;
  readonly queue: string;
}

/**
 * Claims over a database whose schema is there. Time is the database's: processes' clocks differ. Those of one turn, and
 * those that come while others are being written, are one statement.
 */
export function createClaims(database: Database, schema: string): Claims {
  const statements = claimStatements(`${schema}.claims`);
  const change = async (statement: string, job: JobKey & { token: number }, ...more: number[]) => {
    const { id, queue } = keyOf(job);
    return (await database.query(statement, [id, queue, job.token, ...more])).length > 0;
  };
  const takes = new GroupCommit<AskedRow, number | undefined>({
    maxItems: MAX_ROWS,
    maxBytes: MAX_BYTES,
    bytesOf: () => 0,
    commit: async (rows) => {
      const taken = await database.query<JobKey & { token: number }>(statements.take, [
        // Of two for one job the second is not taken: the first has it.
        JSON.stringify(once(rows, jobOf)),
      ]);
      const tokens = new Map(taken.map((row) => [jobOf(row), row.token]));
      return answersInTurn(rows.map(jobOf), tokens);
    },
  });
  const ends = new GroupCommit<DoneRow, boolean>({
    maxItems: MAX_ROWS,
    maxBytes: MAX_BYTES,
    bytesOf: ({ result }) => Buffer.byteLength(result),
    commit: async (rows) => {
      const ended = await database.query<JobKey & { token: number }>(statements.complete, [
        JSON.stringify(once(rows, claimOf)),
      ]);
      const done = new Map(ended.map((row) => [claimOf(row), true]));
      return answersInTurn(rows.map(claimOf), done).map((isDone) => isDone === true);
    },
  });
  return {
    async claim(job) {
      const key = keyOf(job);
      const owner = cutText(job.owner, LIMITS.nameBytes);
      for (;;) {
        const token = await takes.add({ ...key, lease_ms: job.leaseMs, owner });
        if (token !== undefined) return { kind: 'claimed', token };
        const seen = await look(database, statements.look, key);
        // Given free, or deleted, between the two: take it.
        if (seen) return seen;
      }
    },
    renew: (job) => change(statements.renew, job, job.leaseMs),
    complete: (job) =>
      ends.add({ ...keyOf(job), token: job.token, result: resultText(job.result) }),
    async release(job) {
      await change(statements.release, job);
    },
  };
}

interface Seen {
  readonly is_done: boolean;
  readonly result: string | null;
  readonly is_free: boolean;
  readonly ends: number;
}

/** What keeps a job from being claimed; undefined when nothing does any more. */
async function look(
  database: Database,
  statement: string,
  { id, queue }: JobKey,
): Promise<Claim | undefined> {
  const [seen] = await database.query<Seen>(statement, [id, queue]);
  if (seen?.is_done) return { kind: 'done', result: parsed(seen.result) };
  return seen && !seen.is_free ? { kind: 'busy', leaseEndsAtMs: seen.ends } : undefined;
}

function keyOf({ id, queue }: JobKey): JobKey {
  return { id: cutText(id, LIMITS.nameBytes), queue: cutText(queue, LIMITS.nameBytes) };
}

const jobOf = ({ id, queue }: JobKey): string => JSON.stringify([id, queue]);
const claimOf = ({ id, queue, token }: JobKey & { token: number }): string =>
  JSON.stringify([id, queue, token]);

/** The first of each name: a statement may change a row only once. */
function once<Row>(rows: readonly Row[], nameOf: (row: Row) => string): Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) if (!first.has(nameOf(row))) first.set(nameOf(row), row);
  return [...first.values()];
}

/** The answer for each name; where it is asked for several times, only the first gets it. */
function answersInTurn<Answer>(
  names: readonly string[],
  answers: Map<string, Answer>,
): (Answer | undefined)[] {
  return names.map((name) => {
    const answer = answers.get(name);
    answers.delete(name);
    return answer;
  });
}

/** Null for what JSON cannot say. */
function resultText(result: unknown): string {
  return JSON.stringify(result) ?? 'null';
}

function parsed(result: string | null): unknown {
  return result === null ? undefined : JSON.parse(result);
}
