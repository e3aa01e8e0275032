/** More than this of a limit nobody reads. */
const BUSIEST = 5;

/**
 * What is used of each limit, one row for each of its busiest keys, and one without a key where none is in use. Times are the
 * database's, as where they are asked for; nothing is locked.
 */
export function useStatement(table: string): string {
  return `WITH known AS (
      SELECT *, greatest(0, full_at_ms - now_ms) AS debt_ms, greatest(0, put_off_to_ms - now_ms) AS put_off_left_ms
      FROM ${table}, (SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms) AS clock),
    ranked AS (
      SELECT *, row_number() OVER (PARTITION BY name ORDER BY greatest(debt_ms, put_off_left_ms) DESC, key) AS rank
      FROM known WHERE debt_ms > 0 OR put_off_left_ms > 0)
    SELECT n.name, n.keys::int, r.key, r.burst,
      floor((r.burst * r.interval_ms - r.debt_ms) / r.interval_ms + 1e-6)::int AS free,
      greatest(0, r.debt_ms + r.interval_ms - r.burst * r.interval_ms) AS free_in_ms,
      r.put_off_left_ms
    FROM (SELECT name, count(*) FILTER (WHERE debt_ms > 0 OR put_off_left_ms > 0) AS keys
      FROM known GROUP BY name) AS n
    LEFT JOIN ranked AS r ON r.name = n.name AND r.rank <= ${BUSIEST}
    ORDER BY n.name, r.rank`;
}
