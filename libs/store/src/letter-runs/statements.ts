/** Not heard of for so long, a run that did not tell its end has died: it is heard of every two seconds. */
const SILENT = "interval '30 seconds'";

/** The statements of the ledger. The first parameter is a run's id where they are of one run. */
export function letterRunStatements(schema: string) {
  const runs = `${schema}.letter_runs`;
  const keys = `${schema}.letter_run_keys`;
  const ms = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::bigint`;
  const columns = `seq, id, kind, queue, actor, reason, selection, settings, starts, chosen, done, canary_passed,
    is_stop_asked, waiting_for, problem, report, ${ms('begun_at')} AS begun_at_ms, ${ms('alive_at')} AS alive_at_ms,
    ${ms('ended_at')} AS ended_at_ms,
    is_fixed, CASE WHEN state <> 'running' THEN state
      WHEN alive_at < clock_timestamp() - ${SILENT} THEN 'interrupted'
      WHEN is_fixed THEN 'running' ELSE 'choosing' END AS state`;
  const addKeys = (isDone: boolean) =>
    `INSERT INTO ${keys} (run_id, is_done, keys) VALUES ($1::text, ${isDone}, decode($2::text, 'base64'))`;
  return {
    begin: `INSERT INTO ${runs} (id, kind, queue, actor, reason, selection, settings, state)
      VALUES ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, 'running')`,
    clear: `DELETE FROM ${keys} WHERE run_id = $1::text`,
    addChosen: addKeys(false),
    fixed: `UPDATE ${runs} SET is_fixed = true, chosen = $2::int, done = 0, alive_at = clock_timestamp()
      WHERE id = $1::text`,
    resume: `UPDATE ${runs} SET state = 'running', starts = starts + 1, is_stop_asked = false, waiting_for = NULL, problem = NULL, report = NULL, ended_at = NULL,
        alive_at = clock_timestamp()
      WHERE id = $1::text RETURNING 1`,
    keys: `SELECT seq, is_done, keys FROM ${keys} WHERE run_id = $1::text AND seq > $2::bigint
      ORDER BY seq LIMIT $3::int`,
    addDone: `WITH added AS (${addKeys(true)})
      UPDATE ${runs} SET done = done + $3::int, alive_at = clock_timestamp() WHERE id = $1::text`,
    passCanary: `UPDATE ${runs} SET canary_passed = true WHERE id = $1::text`,
    beat: `UPDATE ${runs} SET alive_at = clock_timestamp() WHERE id = $1::text RETURNING is_stop_asked`,
    tellWaiting: `UPDATE ${runs} SET waiting_for = $2::text WHERE id = $1::text AND state = 'running'`,
    end: `UPDATE ${runs} SET waiting_for = NULL, problem = $2::text, report = $3::text, ended_at = clock_timestamp(),
        state = CASE WHEN $2::text IS NULL THEN 'ended' ELSE 'stopped' END
      WHERE id = $1::text`,
    askToStop: `UPDATE ${runs} SET is_stop_asked = true
      WHERE id = $1::text AND state = 'running' RETURNING 1`,
    find: `SELECT ${columns} FROM ${runs} WHERE id = $1::text`,
    list: `SELECT ${columns} FROM ${runs} WHERE seq < $1::bigint ORDER BY seq DESC LIMIT $2::int`,
  };
}
