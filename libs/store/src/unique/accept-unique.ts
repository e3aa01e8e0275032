import { cleanText, cutText, textOrNull } from '../clean-text.ts';
import type { Database, Sql } from '../database/database.ts';
import { findKey } from '../outbox/find-key.ts';
import { messageRow } from '../outbox/message-row.ts';
import type { Room } from '../outbox/room.ts';
import type { OutboxMessage } from '../outbox/types.ts';
import { foldEvents } from '../projection/fold-events.ts';
import { LIMITS } from '../projection/limits.ts';
import type { SchemaNames } from '../schema-names.ts';
import { storedKey } from '../stored-key.ts';
import { answersOf, type Decision, decide, groupByKey, type KeyGroup } from './plan.ts';
import { type UniqueStatements, uniqueStatements } from './statements.ts';
import type { UniqueAcceptance, UniqueOutbox } from './types.ts';
import { holdMs, type KnownKey } from './uniqueness.ts';

interface KnownRow {
  readonly ord: number;
  readonly job_id: string;
  readonly is_over: boolean;
  readonly has_ended: boolean;
}

/** That part of the outbox that knows which requests are one job. */
export function createUniqueAcceptance(
  database: Database,
  schemas: SchemaNames,
  room: Room,
): UniqueOutbox {
  const statements = uniqueStatements(schemas);
  return {
    async acceptUnique(jobs, { leaseMs = 0 } = {}) {
      if (jobs.length === 0) return [];
      const groups = groupByKey(jobs);
      const { room: left, pending } = await room.left();
      // Counted before they are written: acceptances that run at the same time must see each other.
      const taken = Math.min(left, groups.length);
      room.took(taken);
      const decisions = await database.transaction(async (sql) => {
        await sql.query(statements.lock, [keysText(groups)]);
        const decided = decide(groups, await known(sql, statements, groups), left);
        await make(sql, statements, decided, leaseMs);
        await replace(sql, statements, decided);
        return decided;
      });
      room.took(decisions.filter(({ verdict }) => verdict === 'new').length - taken);
      return answersOf(decisions, pending);
    },
    findKey: (idempotency) => findKey(database, schemas.primary, idempotency),
    async endReplacing(id) {
      await database.query(statements.free, [cleanText(id)]);
    },
  };
}

function keysText(groups: readonly KeyGroup[]): string {
  return JSON.stringify(groups.map(({ ord, leader }) => ({ ord, ...keyOf(leader) })));
}

function keyOf({ uniqueness, event }: UniqueAcceptance) {
  const { kind, key } = uniqueness;
  return { kind, type: cutText(event.type, LIMITS.nameBytes), key: storedKey(key) };
}

/** What is known of the keys, in statements that begin when they are locked: nothing changes behind their back. */
async function known(
  sql: Sql,
  statements: UniqueStatements,
  groups: readonly KeyGroup[],
): Promise<ReadonlyMap<number, KnownKey>> {
  const rows = await sql.query<KnownRow>(statements.known, [keysText(groups)]);
  const replaceable = rows.filter(({ ord }) => groups[ord]?.leader.uniqueness.kind === 'debounce');
  const ids = replaceable.map(({ job_id }) => job_id);
  const waiting =
    ids.length === 0
      ? []
      : await sql.query<{ id: string }>(statements.waiting, [JSON.stringify(ids.sort())]);
  const waits = new Set(waiting.map(({ id }) => id));
  return new Map(
    rows.map(({ ord, job_id, is_over, has_ended }) => [
      ord,
      { jobId: job_id, isOver: is_over, hasEnded: has_ended, isWaiting: waits.has(job_id) },
    ]),
  );
}

async function make(
  sql: Sql,
  { make: statement }: UniqueStatements,
  decisions: readonly Decision[],
  leaseMs: number,
): Promise<void> {
  const fresh = decisions.filter(({ verdict }) => verdict === 'new');
  if (fresh.length === 0) return;
  const { jobs } = foldEvents(fresh.map(({ group }) => group.leader.event));
  const rows = fresh.map(({ group }) => uniqueRow(group, group.leader.message));
  await sql.query(statement, [JSON.stringify(rows), JSON.stringify(jobs), leaseMs]);
}

async function replace(
  sql: Sql,
  { replace: statement }: UniqueStatements,
  decisions: readonly Decision[],
): Promise<void> {
  const rows = decisions
    .filter(({ verdict }) => verdict === 'replace')
    .map(({ group, id }) => ({
      ...uniqueRow(group, named(group.leader.message, id)),
      service: textOrNull(group.leader.event.service, LIMITS.nameBytes),
      correlation_id: textOrNull(group.leader.event.correlationId, LIMITS.nameBytes),
    }));
  if (rows.length > 0) await sql.query(statement, [JSON.stringify(rows)]);
}

function uniqueRow({ ord, leader }: KeyGroup, message: OutboxMessage) {
  const { uniqueness } = leader;
  return {
    ...messageRow(message, ord),
    ...keyOf(leader),
    hold_ms: holdMs(uniqueness),
    wait_ms: uniqueness.kind === 'debounce' ? uniqueness.waitMs : null,
  };
}

/** The message as that of the job that waits. */
function named(message: OutboxMessage, id: string): OutboxMessage {
  return { ...message, id, properties: { ...message.properties, messageId: id } };
}
