/** Columns that a statement computes, in the order of `computed`. */
const COMPUTED = [
  'full_at_ms',
  'put_off_to_ms',
  'granted',
  'free',
  'free_in_ms',
  'put_off_in_ms',
  'asked_at_ms',
].join(', ');

/** Up to when jobs were put off: by the interval of now where that is shorter than the one that it was asked by before. */
const SHORTENED = `(now_ms + (l.put_off_to_ms - now_ms) * least(1, excluded.interval_ms / l.interval_ms))`;

const ASKED = 'name, key, interval_ms, burst, wanted, put_off, max_put_off_ms';

/**
 * Asks for starts of many keys at once, given as one JSON list: the generic cell rate algorithm, as `gcra` of libs/limiter says
 * it. What is read and written of a key is under the lock of its row, and so is the time, so that of two who ask at once
 * each sees what the other got. Keys are locked in one order: nobody waits in a circle.
 */
export function askStatement(table: string): string {
  return `INSERT INTO ${table} AS l (${ASKED}, ${COMPUTED})
    SELECT ${prefixed('a', ASKED)}, ${prefixed('c', COMPUTED)}
    FROM (SELECT * FROM json_to_recordset($1::json) AS r (
        name text, key text, interval_ms float8, burst int, wanted int, put_off int, max_put_off_ms float8)
      ORDER BY name COLLATE "C", key COLLATE "C") AS a
    CROSS JOIN LATERAL (${computed('a', '0::float8', '0::float8')}) AS c (${COMPUTED})
    ON CONFLICT (name, key) DO UPDATE SET
      interval_ms = excluded.interval_ms, burst = excluded.burst, wanted = excluded.wanted,
      put_off = excluded.put_off, max_put_off_ms = excluded.max_put_off_ms,
      (${COMPUTED}) = (${computed('excluded', 'l.full_at_ms', SHORTENED)})
    RETURNING name, key, granted, free, free_in_ms, put_off_in_ms, asked_at_ms`;
}

/** One step for each line of the rule; times that were taken twice would not be the same. */
function computed(asked: string, fullAt: string, putOffTo: string): string {
  return `SELECT after_ms,
      CASE WHEN ${asked}.put_off > 0
        THEN least(from_ms + ${asked}.put_off * ${asked}.interval_ms, now_ms + ${asked}.max_put_off_ms)
        ELSE ${putOffTo} END,
      granted, free, free_in_ms, from_ms - now_ms, now_ms
    FROM (SELECT *, least(greatest(${putOffTo}, now_ms + free_in_ms),
        now_ms + ${asked}.max_put_off_ms) AS from_ms
      FROM (SELECT *, greatest(0,
          after_ms - now_ms + ${asked}.interval_ms - whole_ms) AS free_in_ms
        FROM (SELECT *, before_ms + granted * ${asked}.interval_ms AS after_ms
          FROM (SELECT *, least(${asked}.wanted, free) AS granted
            FROM (SELECT *, floor(
                  (whole_ms - (before_ms - now_ms)) / ${asked}.interval_ms + 1e-6)::int AS free
              FROM (SELECT *, greatest(now_ms, least(${fullAt}, now_ms + whole_ms)) AS before_ms
                FROM (SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms,
                    ${asked}.burst * ${asked}.interval_ms AS whole_ms
                ) AS c1) AS c2) AS c3) AS c4) AS c5) AS c6) AS c7`;
}

function prefixed(prefix: string, columns: string): string {
  return columns
    .split(', ')
    .map((column) => `${prefix}.${column}`)
    .join(', ');
}
