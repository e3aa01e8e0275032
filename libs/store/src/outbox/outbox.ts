import { cleanText, cutText } from '../clean-text.ts';
import type { Database } from '../database/database.ts';
import { LIMITS } from '../projection/limits.ts';
import type { SchemaNames } from '../schema-names.ts';
import { createUniqueAcceptance } from '../unique/accept-unique.ts';
import type { UniqueOutbox } from '../unique/types.ts';
import { acceptJobs } from './accept.ts';
import { acceptStatement } from './accept-statement.ts';
import { leasedMessage, type StoredMessage } from './message-row.ts';
import { createRoom, type Room } from './room.ts';
import type { Acceptance, Accepted, AcceptOptions, Outbox } from './types.ts';

export const DEFAULT_MAX_PENDING = 100_000;
const DEFAULT_LEASE_BYTES = 64 * 1024 * 1024;

const IDS = 'SELECT json_array_elements_text($1::text::json)';

/** The outbox over a database whose schema is there. */
export function createOutbox(
  database: Database,
  schemas: SchemaNames,
  maxPending: number = DEFAULT_MAX_PENDING,
): Outbox & UniqueOutbox {
  const table = `${schemas.primary}.outbox`;
  const statements = statementsFor(table);
  const accept = acceptStatement(schemas);
  const room = createRoom(database, schemas.primary, maxPending);
  const unique = createUniqueAcceptance(database, schemas, room);
  return {
    ...unique,
    accept: (jobs, options) => acceptWithin(database, accept, room, jobs, options),
    async lease({ owner, limit, maxBytes = DEFAULT_LEASE_BYTES, leaseMs }) {
      const values = [cutText(owner, LIMITS.nameBytes), limit, leaseMs, maxBytes];
      return (await database.query<StoredMessage>(statements.lease, values)).map(leasedMessage);
    },
    async done(ids) {
      if (ids.length > 0) await database.query(statements.done, [idsText(ids)]);
    },
    async putBack(ids, { delayMs, problem }) {
      if (ids.length === 0) return;
      const values = [idsText(ids), delayMs, cutText(problem, LIMITS.messageBytes)];
      await database.query(statements.putBack, values);
    },
    async pending() {
      const [row] = await database.query<{ count: number; oldest: number | null }>(
        statements.pending,
        [],
      );
      return { count: row?.count ?? 0, oldestAtMs: row?.oldest ?? undefined };
    },
  };
}

function statementsFor(table: string) {
  return {
    // Taken rows are due again after the lease; the order of UPDATE's rows is not that of the selection.
    lease: `WITH due AS MATERIALIZED (
        SELECT id, due_at, seq, octet_length(body) AS bytes FROM ${table} WHERE due_at <= statement_timestamp()
        ORDER BY due_at, seq LIMIT $2::int FOR UPDATE SKIP LOCKED
      ), taken AS (
        SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY due_at, seq) AS bytes,
          row_number() OVER (ORDER BY due_at, seq) AS place FROM due) AS d
        WHERE place = 1 OR bytes <= $4::float8
      ), leased AS (
        UPDATE ${table} AS o SET due_at = clock_timestamp() + $3::float8 * interval '1 ms',
          leased_by = $1::text, leases = leases + 1
        FROM taken WHERE o.id = taken.id
        RETURNING o.seq, o.id, o.exchange, o.routing_key, o.body, o.properties, o.leases,
          floor(extract(epoch FROM o.waits_until) * 1000)::bigint AS waits_until_ms
      )
      SELECT * FROM leased ORDER BY seq`,
    done: `DELETE FROM ${table} WHERE id IN (${IDS})`,
    putBack: `UPDATE ${table} SET due_at = clock_timestamp() + $2::float8 * interval '1 ms',
        leased_by = NULL, problem = $3::text
      WHERE id IN (${IDS})`,
    // What waits on purpose is late from then only.
    pending: `SELECT count(*) AS count,
        floor(extract(epoch FROM min(coalesce(waits_until, accepted_at))) * 1000)::bigint AS oldest
      FROM ${table} WHERE waits_until IS NULL OR waits_until <= clock_timestamp()`,
  };
}

/** Sorted, so that two writers lock rows in the same order. */
function idsText(ids: readonly string[]): string {
  return JSON.stringify(ids.map(cleanText).sort());
}

async function acceptWithin(
  database: Database,
  statement: string,
  room: Room,
  jobs: readonly Acceptance[],
  options: AcceptOptions = {},
): Promise<readonly Accepted[]> {
  if (jobs.length === 0) return [];
  const { room: left, pending } = await room.left();
  const fitting = jobs.slice(0, left);
  // Counted before they are written: acceptances that run at the same time must see each other.
  room.took(fitting.length);
  const answers =
    fitting.length === 0
      ? []
      : await acceptJobs(database, statement, fitting, options.leaseMs ?? 0);
  room.took(answers.filter(({ kind }) => kind === 'accepted').length - fitting.length);
  return jobs.map((_, at) => answers[at] ?? { kind: 'full', pending: pending + fitting.length });
}
