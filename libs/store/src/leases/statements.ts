/** The statements of the leases, whose first two parameters are the job's id and queue where they are of one job. */
export function leaseStatements(schema: string) {
  const table = `${schema}.leases`;
  const token = `nextval('${schema}.lease_tokens')`;
  const lease = (parameter: number) =>
    `clock_timestamp() + $${parameter}::float8 * interval '1 ms'`;
  const one = 'id = $1::text AND queue = $2::text';
  const held = `${one} AND token = $3::bigint AND state <> 'away'`;
  const isOver = 'lease_ends_at <= clock_timestamp()';
  // Asked for again, since the answer got lost. That is no other run: nobody else was told the token. Processes of a version
  // that knows no requests leave that of whoever had it before them: so the owner has to be the same, too.
  const isOwn = "l.state = 'held' AND l.request = excluded.request AND l.owner = excluded.owner";
  return {
    // A copy that is older than the one in hand must not take its place, not even when its holder died.
    take: `INSERT INTO ${table} AS l (id, queue, lease_ends_at, owner, generation, attempt, exchange, routing_key, body,
        properties, request, token, state)
      VALUES ($1::text, $2::text, ${lease(3)}, $4::text, $5::int, $6::int, $7::text, $8::text,
        decode($9::text, 'base64'), $10::text, $11::text, ${token}, 'held')
      ON CONFLICT (id, queue) DO UPDATE SET
        token = CASE WHEN ${isOwn} THEN l.token ELSE excluded.token END,
        request = excluded.request, state = 'held', owner = excluded.owner, lease_ends_at = ${lease(3)},
        taken_at = clock_timestamp(), generation = excluded.generation, attempt = excluded.attempt,
        exchange = excluded.exchange, routing_key = excluded.routing_key, body = excluded.body,
        properties = excluded.properties,
        crashes = CASE WHEN ${isOwn} THEN l.crashes WHEN (l.generation, l.attempt, l.routing_key)
            = (excluded.generation, excluded.attempt, excluded.routing_key)
          THEN l.crashes + CASE WHEN l.state = 'held' THEN 1 ELSE 0 END ELSE 0 END,
        checkpoint = CASE WHEN l.generation = excluded.generation THEN l.checkpoint END
      WHERE l.state = 'away' OR (${isOwn}) OR (l.${isOver}
        AND (l.generation, l.attempt) <= (excluded.generation, excluded.attempt))
      RETURNING token, crashes, checkpoint`,
    look: `SELECT state, ${isOver} AS is_over, generation, attempt,
        ceil(extract(epoch FROM lease_ends_at) * 1000)::bigint AS ends
      FROM ${table} WHERE ${one}`,
    // Also late, as long as nobody else took it.
    renew: `UPDATE ${table} SET lease_ends_at = ${lease(4)} WHERE ${held} RETURNING token`,
    settle: `UPDATE ${table} SET lease_ends_at = ${lease(4)}, state = 'moving'
      WHERE ${held} RETURNING token`,
    checkpoint: `UPDATE ${table} SET checkpoint = $4::text, checkpoint_at = clock_timestamp()
      WHERE ${one} AND token = $3::bigint AND state = 'held' RETURNING token`,
    // Only what a later run needs stays.
    moved: `WITH gone AS (
        DELETE FROM ${table} WHERE ${held} AND checkpoint IS NULL AND crashes = 0 RETURNING token
      ), kept AS (
        UPDATE ${table} SET state = 'away', lease_ends_at = clock_timestamp(), body = '', properties = ''
        WHERE ${held} AND NOT (checkpoint IS NULL AND crashes = 0) RETURNING token
      )
      SELECT token FROM gone UNION ALL SELECT token FROM kept`,
    ended: `DELETE FROM ${table} WHERE ${held} RETURNING token`,
    expired: `WITH found AS MATERIALIZED (
        SELECT id, queue, state FROM ${table}
        WHERE queue = $1::text AND routing_key = $2::text AND state <> 'away' AND ${isOver}
        ORDER BY lease_ends_at LIMIT $3::int FOR UPDATE SKIP LOCKED
      )
      UPDATE ${table} AS l SET token = ${token}, state = 'moving', lease_ends_at = ${lease(4)}, owner = $5::text,
        crashes = l.crashes + CASE WHEN found.state = 'held' THEN 1 ELSE 0 END
      FROM found WHERE l.id = found.id AND l.queue = found.queue
      RETURNING l.id, l.token, l.crashes, l.exchange, l.routing_key, l.body, l.properties`,
    counts: `SELECT queue, routing_key, count(*)::int AS running,
        (count(*) FILTER (WHERE ${isOver}))::int AS expired
      FROM ${table} WHERE state <> 'away' GROUP BY queue, routing_key ORDER BY routing_key`,
  };
}
