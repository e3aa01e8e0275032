import { cleanText, cutText } from '../clean-text.ts';
import type { Database } from '../database/database.ts';
import { decodeCursor, encodeCursor } from '../jobs/cursor.ts';
import { boundedLimit } from '../jobs/list-jobs.ts';
import { LIMITS } from '../projection/limits.ts';
import { letterRunStatements } from './statements.ts';
import type { LetterRunKeys, LetterRunKind, LetterRunRecord, LetterRuns } from './types.ts';

const SCOPE = 'letter-runs';
const KEY_BYTES = 16;
const MAX_REASON_BYTES = 4_096;

/** The ledger over a database whose schema is there. Time is the database's: processes' clocks differ. */
export function createLetterRuns(database: Database, schema: string): LetterRuns {
  const statements = letterRunStatements(schema);
  const run = async (statement: string, ...values: (string | number | null)[]) =>
    (await database.query(statement, values)).length > 0;
  return {
    async begin({ id, kind, queue, actor, reason, selection, settings }) {
      const names = [queue, actor].map((name) => cutText(name, LIMITS.nameBytes));
      const why = reason === undefined ? null : cutText(reason, MAX_REASON_BYTES);
      const details = [selection, settings].map((value) => JSON.stringify(value ?? null));
      await database.query(statements.begin, [id, kind, ...names, why, ...details]);
    },
    fix: (id, parts) =>
      database.transaction(async (sql) => {
        await sql.query(statements.clear, [id]);
        for (const part of parts) await sql.query(statements.addChosen, [id, base64(part)]);
        await sql.query(statements.fixed, [id, countIn(...parts)]);
      }),
    resume: (id) => run(statements.resume, id),
    async keys(id, { afterSeq, limit }) {
      const rows = await database.query<KeysRow>(statements.keys, [id, afterSeq, limit]);
      return rows.map(({ seq, is_done: isDone, keys }) => ({ seq, isDone, keys }));
    },
    async addDone(id, keys) {
      await database.query(statements.addDone, [id, base64(keys), countIn(keys)]);
    },
    async passCanary(id) {
      await database.query(statements.passCanary, [id]);
    },
    async beat(id) {
      const [row] = await database.query<{ is_stop_asked: boolean }>(statements.beat, [id]);
      return row?.is_stop_asked ?? false;
    },
    async tellWaiting(id, waitingFor) {
      const what = waitingFor === undefined ? null : cutText(waitingFor, MAX_REASON_BYTES);
      await database.query(statements.tellWaiting, [id, what]);
    },
    end: (id, { problem = null, report }) =>
      database.transaction(async (sql) => {
        const why = problem === null ? null : cutText(problem, MAX_REASON_BYTES);
        await sql.query(statements.end, [id, why, JSON.stringify(report ?? null)]);
        if (problem === null) await sql.query(statements.clear, [id]);
      }),
    askToStop: (id) => run(statements.askToStop, cleanText(id)),
    async find(id) {
      const [row] = await database.query<RunRow>(statements.find, [cleanText(id)]);
      return row && recordOf(row);
    },
    async list(page) {
      const limit = boundedLimit(page.limit);
      const [before = Number.MAX_SAFE_INTEGER] =
        page.cursor === undefined ? [] : decodeCursor(SCOPE, page.cursor, ['number']);
      const rows = await database.query<RunRow>(statements.list, [before, limit + 1]);
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      return { items: shown.map(recordOf), cursor: last && encodeCursor(SCOPE, [last.seq]) };
    },
  };
}

interface KeysRow extends Omit<LetterRunKeys, 'isDone'> {
  readonly is_done: boolean;
}

interface RunRow {
  readonly seq: number;
  readonly id: string;
  readonly kind: LetterRunKind;
  readonly queue: string;
  readonly actor: string;
  readonly reason: string | null;
  readonly selection: string;
  readonly settings: string;
  readonly state: LetterRunRecord['state'];
  readonly starts: number;
  readonly chosen: number;
  readonly done: number;
  readonly is_fixed: boolean;
  readonly canary_passed: boolean;
  readonly is_stop_asked: boolean;
  readonly waiting_for: string | null;
  readonly problem: string | null;
  readonly report: string | null;
  readonly begun_at_ms: number;
  readonly alive_at_ms: number;
  readonly ended_at_ms: number | null;
}

function recordOf(row: RunRow): LetterRunRecord {
  const { id, kind, queue, actor, state, starts, chosen, done } = row;
  return {
    id,
    kind,
    queue,
    actor,
    state,
    starts,
    chosen,
    done,
    reason: row.reason ?? undefined,
    selection: JSON.parse(row.selection),
    settings: JSON.parse(row.settings),
    isFixed: row.is_fixed,
    isCanaryPassed: row.canary_passed,
    isStopAsked: row.is_stop_asked,
    waitingFor: (state === 'running' && row.waiting_for) || undefined,
    problem: row.problem ?? undefined,
    report: row.report === null ? undefined : JSON.parse(row.report),
    begunAtMs: row.begun_at_ms,
    aliveAtMs: row.alive_at_ms,
    endedAtMs: row.ended_at_ms ?? undefined,
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}

function countIn(...parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0) / KEY_BYTES;
}
