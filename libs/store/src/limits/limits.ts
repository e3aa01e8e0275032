import type { Sql } from '../database/database.ts';
import { storedKey } from '../stored-key.ts';
import { askStatement } from './ask-statement.ts';
import type { LimitAnswer, LimitRequest, StoredLimits } from './types.ts';

/** Limits over a database whose schema is there. Time is the database's: processes' clocks differ. */
export function createLimits(sql: Sql, schema: string): StoredLimits {
  const statement = askStatement(`${schema}.limits`);
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
  };
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
