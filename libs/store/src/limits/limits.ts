import type { Sql } from '../database/database.ts';
import { storedKey } from '../stored-key.ts';
import { askStatement } from './ask-statement.ts';
import type { LimitAnswer, LimitKeyUse, LimitRequest, LimitUse, StoredLimits } from './types.ts';
import { useStatement } from './use-statement.ts';

/** Limits over a database whose schema is there. Time is the database's: processes' clocks differ. */
export function createLimits(sql: Sql, schema: string): StoredLimits {
  const statement = askStatement(`${schema}.limits`);
  const uses = useStatement(`${schema}.limits`);
  return {
    async ask(requests) {
      const rows = await sql.query<Row>(statement, [JSON.stringify(requests.map(rowOf))]);
      const answers = new Map(rows.map((row) => [idOf(row), answerOf(row)]));
      return requests.map((request) => {
        const answer = answers.get(idOf(rowOf(request)));
        if (!answer) throw new Error('the store has no answer for a key');
        return answer;
      });
    },
    uses: async () => usesOf(await sql.query<UseRow>(uses)),
  };
}

interface UseRow {
  readonly name: string;
  readonly keys: number;
  readonly key: string | null;
  readonly burst: number;
  readonly free: number;
  readonly free_in_ms: number;
  readonly put_off_left_ms: number;
}

function usesOf(rows: readonly UseRow[]): LimitUse[] {
  const byName = new Map<string, { name: string; keys: number; busiest: LimitKeyUse[] }>();
  for (const { name, keys, key, burst, ...row } of rows) {
    const use = byName.get(name) ?? { name, keys, busiest: [] };
    byName.set(name, use);
    if (key === null) continue;
    const freeInMs = row.free_in_ms;
    const left = Math.max(0, row.free);
    use.busiest.push({ key, burst, left, freeInMs, putOffMs: row.put_off_left_ms });
  }
  return [...byName.values()];
}

interface Row {
  readonly name: string;
  readonly key: string;
  readonly granted: number;
  readonly free: number;
  readonly free_in_ms: number;
  readonly put_off_in_ms: number;
  readonly asked_at_ms: number;
}

function rowOf(request: LimitRequest) {
  const { name, key, intervalMs, burst, wanted, putOff, maxPutOffMs } = request;
  return {
    name,
    key: storedKey(key),
    interval_ms: intervalMs,
    burst,
    wanted,
    put_off: putOff,
    max_put_off_ms: maxPutOffMs,
  };
}

function idOf({ name, key }: { readonly name: string; readonly key: string }): string {
  return JSON.stringify([name, key]);
}

function answerOf(row: Row): LimitAnswer {
  return {
    granted: row.granted,
    left: row.free - row.granted,
    freeInMs: row.free_in_ms,
    putOffInMs: row.put_off_in_ms,
    atMs: row.asked_at_ms,
  };
}
