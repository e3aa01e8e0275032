import { isTerminal, JOB_STATES } from '@warren/history';
import { MESSAGE_COLUMNS } from '../outbox/message-row.ts';
import { PROVISIONAL_STATE } from '../projection/job-row.ts';
import { JOB_COLUMNS, ON_JOB_CONFLICT } from '../projection/upsert-jobs.ts';
import { columnList, recordSet } from '../record-set.ts';
import type { SchemaNames } from '../schema-names.ts';

const KEY_COLUMNS = { ord: 'int', kind: 'text', type: 'text', key: 'text' } as const;

/** A new job with its key: for how long it has it, and how long it waits on purpose (null: not at all). */
const NEW_COLUMNS = {
  ...MESSAGE_COLUMNS,
  kind: 'text',
  type: 'text',
  key: 'text',
  hold_ms: 'float8',
  wait_ms: 'float8',
} as const;

/** `id` is that of the job that waits. */
const REPLACE_COLUMNS = { ...NEW_COLUMNS, service: 'text', correlation_id: 'text' } as const;

const ENDED = JOB_STATES.filter(isTerminal)
  .map((state) => `'${state}'`)
  .join(', ');

const KEY = '(k.kind, k.type, k.key) = (r.kind, r.type, r.key)';

/** The statements of one transaction; each sees what was committed before it began. */
export type UniqueStatements = ReturnType<typeof uniqueStatements>;

export function uniqueStatements({ primary, projection }: SchemaNames) {
  return {
    /** Waits until nobody else decides about these keys; in order, so that two batches do not wait for each other. */
    lock: `SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM (
        SELECT concat_ws(' ', '${primary.replaceAll("'", "''")} unique', kind, type, key) AS name
        FROM ${recordSet(KEY_COLUMNS, 1)} ORDER BY 1
      ) AS names`,
    /** The row is locked against whoever frees the key meanwhile. */
    known: `SELECT r.ord, k.job_id, k.ends_at <= clock_timestamp() AS is_over, EXISTS (
          SELECT FROM ${projection}.jobs AS j
          WHERE j.id = k.job_id AND j.queue = k.type AND j.state IN (${ENDED})
        ) AS has_ended
      FROM ${recordSet(KEY_COLUMNS, 1)} JOIN ${primary}.unique_keys AS k ON ${KEY}
      ORDER BY k.kind, k.type, k.key FOR UPDATE OF k`,
    /** Locked against relays: none takes them before they are replaced. */
    waiting: `SELECT id FROM ${primary}.outbox
      WHERE id IN (SELECT json_array_elements_text($1::text::json))
        AND leases = 0 AND waits_until IS NOT NULL
      ORDER BY id FOR UPDATE`,
    make: makeStatement(primary, projection),
    replace: replaceStatement(primary, projection),
    free: `DELETE FROM ${primary}.unique_keys WHERE job_id = $1::text AND kind = 'debounce'`,
  };
}

/** `$1`: messages with their keys, `$2`: rows of jobs, both as JSON; `$3`: ms until a relay may take what does not wait. */
function makeStatement(primary: string, projection: string): string {
  const dueAtMs =
    '(floor(extract(epoch FROM clock_timestamp()) * 1000) + input.wait_ms)::bigint AS due_at_ms';
  const columns = Object.keys(JOB_COLUMNS).map((name) =>
    name === 'due_at_ms' ? dueAtMs : `r.${name}`,
  );
  return `WITH input AS MATERIALIZED (SELECT * FROM ${recordSet(NEW_COLUMNS, 1)}),
    messages AS (
      INSERT INTO ${primary}.outbox (id, due_at, waits_until, exchange, routing_key, body, properties)
      SELECT id, clock_timestamp() + coalesce(wait_ms, $3::float8) * interval '1 ms',
        clock_timestamp() + wait_ms * interval '1 ms', exchange, routing_key, decode(body, 'base64'), properties
      FROM input ORDER BY ord
      ON CONFLICT (id) DO NOTHING
    ),
    jobs AS (
      INSERT INTO ${projection}.jobs AS j (${columnList(JOB_COLUMNS)})
      SELECT ${columns.join(', ')} FROM ${recordSet(JOB_COLUMNS, 2)} JOIN input ON input.id = r.id
      ${ON_JOB_CONFLICT}
    )
    INSERT INTO ${primary}.unique_keys (kind, type, key, job_id, created_at, ends_at)
    SELECT kind, type, key, id, clock_timestamp(), clock_timestamp() + hold_ms * interval '1 ms'
    FROM input ORDER BY kind, type, key
    ON CONFLICT (kind, type, key) DO UPDATE SET
      job_id = excluded.job_id, created_at = excluded.created_at, ends_at = excluded.ends_at`;
}

/** `$1`: messages with the ids of the jobs that wait. The bound counts from the first request. */
function replaceStatement(primary: string, projection: string): string {
  return `WITH input AS MATERIALIZED (
      SELECT r.*, least(clock_timestamp() + r.wait_ms * interval '1 ms',
          greatest(clock_timestamp(), k.created_at + r.hold_ms * interval '1 ms')) AS due,
        k.created_at + r.hold_ms * interval '1 ms' AS ends
      FROM ${recordSet(REPLACE_COLUMNS, 1)} JOIN ${primary}.unique_keys AS k ON ${KEY}
    ),
    messages AS (
      UPDATE ${primary}.outbox AS o SET due_at = input.due, waits_until = input.due,
        exchange = input.exchange, routing_key = input.routing_key,
        body = decode(input.body, 'base64'), properties = input.properties
      FROM input WHERE o.id = input.id
    ),
    jobs AS (
      UPDATE ${projection}.jobs AS j SET service = input.service, correlation_id = input.correlation_id,
        due_at_ms = floor(extract(epoch FROM input.due) * 1000)::bigint,
        updated_at_ms = greatest(j.updated_at_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
      FROM input WHERE j.id = input.id AND j.queue = input.type AND j.state = '${PROVISIONAL_STATE}'
    )
    UPDATE ${primary}.unique_keys AS k SET ends_at = r.ends FROM input AS r WHERE ${KEY}`;
}
