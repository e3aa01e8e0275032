import type { Drops } from '@warren/history';
import { cutText, wholeNumber } from '../clean-text.ts';
import type { Sql } from '../database/database.ts';
import { columnList, recordSet } from '../record-set.ts';
import { LIMITS } from './limits.ts';

const COLUMNS = { queue: 'text', from_ms: 'bigint', to_ms: 'bigint' };

/** Remembers which events are missing; as with events, neither order nor repetition matter. */
export async function keepDrops(sql: Sql, schema: string, drops: readonly Drops[]): Promise<void> {
  if (drops.length === 0) return;
  const rows = new Map<string, { queue: string; from_ms: number; to_ms: number }>();
  for (const drop of drops) {
    const queue = cutText(drop.queue, LIMITS.nameBytes);
    const from_ms = wholeNumber(drop.fromMs, LIMITS.timeMs);
    const to_ms = wholeNumber(drop.toMs, LIMITS.timeMs);
    const known = rows.get(queue) ?? { from_ms, to_ms };
    rows.set(queue, {
      queue,
      from_ms: Math.min(known.from_ms, from_ms),
      to_ms: Math.max(known.to_ms, to_ms),
    });
  }
  await sql.query(
    `INSERT INTO ${schema}.drops AS d (${columnList(COLUMNS)})
      SELECT ${columnList(COLUMNS)} FROM ${recordSet(COLUMNS, 1)}
      ON CONFLICT (queue) DO UPDATE SET
        from_ms = least(d.from_ms, excluded.from_ms), to_ms = greatest(d.to_ms, excluded.to_ms)`,
    [JSON.stringify([...rows.values()])],
  );
}
