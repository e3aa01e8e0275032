import type { Sql } from '../database/database.ts';

/** A count is trusted for so long; what this process adds meanwhile is added. */
const TRUSTED_MS = 1_000;

/** A full outbox is counted again at most so often. */
const AGAIN_MS = 100;

/** Knows about how many messages wait, without counting at each acceptance. */
export interface Room {
  /** How many more may be accepted; `pending` is what waits. */
  left(): Promise<{ readonly room: number; readonly pending: number }>;
  took(messages: number): void;
}

/** Other processes are seen with up to a second's delay, so together they may pass the bound by what they take in one. */
export function createRoom(
  sql: Sql,
  schema: string,
  maxPending: number,
  now: () => number = Date.now,
): Room {
  const statement = `SELECT count(*) AS count FROM (SELECT FROM ${schema}.outbox LIMIT $1::int) AS o`;
  let pending = 0;
  let countedAtMs = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | undefined;
  const count = async () => {
    const [row] = await sql.query<{ count: number }>(statement, [maxPending]);
    pending = row?.count ?? 0;
    countedAtMs = now();
  };
  return {
    async left() {
      const ageMs = now() - countedAtMs;
      if (ageMs > (pending >= maxPending ? AGAIN_MS : TRUSTED_MS)) {
        counting ??= count().finally(() => {
          counting = undefined;
        });
        await counting;
      }
      return { room: Math.max(maxPending - pending, 0), pending };
    },
    took(messages) {
      pending += messages;
    },
  };
}
