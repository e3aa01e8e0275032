import { cutText } from '../clean-text.ts';
import type { Database } from '../database/database.ts';
import { type MessageRow, messageRow, parseProperties } from '../outbox/message-row.ts';
import { LIMITS } from '../projection/limits.ts';
import { leaseStatements } from './statements.ts';
import type { LeaseKey, Leases, LeaseTake } from './types.ts';

/** Leases over a database whose schema is there. Time is the database's: processes' clocks differ. */
export function createLeases(database: Database, schema: string): Leases {
  const statements = leaseStatements(schema);
  const change = async (statement: string, lease: LeaseKey, ...more: (string | number)[]) => {
    const values = [...keyOf(lease), lease.token, ...more];
    return (await database.query(statement, values)).length > 0;
  };
  return {
    take: (job) => take(database, statements, job),
    renew: (lease) => change(statements.renew, lease, lease.leaseMs),
    settle: (lease) => change(statements.settle, lease, lease.leaseMs),
    checkpoint: (lease) => change(statements.checkpoint, lease, lease.state),
    moved: (lease) => change(statements.moved, lease),
    ended: (lease) => change(statements.ended, lease),
    async expired({ queue, from, owner, leaseMs, limit }) {
      const values = [
        cutText(queue, LIMITS.nameBytes),
        from,
        limit,
        leaseMs,
        cutText(owner, LIMITS.nameBytes),
      ];
      const rows = await database.query<ExpiredRow>(statements.expired, values);
      return rows.map((row) => ({
        token: row.token,
        crashes: row.crashes,
        message: {
          id: row.id,
          exchange: row.exchange,
          routingKey: row.routing_key,
          body: row.body,
          properties: parseProperties(row.properties),
        },
      }));
    },
    async counts() {
      const rows = await database.query<{
        queue: string;
        routing_key: string;
        running: number;
        expired: number;
      }>(statements.counts);
      return rows.map(({ queue, routing_key: from, running, expired }) => {
        return { queue, from, running, expired };
      });
    },
  };
}

interface Counted {
  readonly token: number;
  readonly crashes: number;
}

/** As it is read; `body` is bytes. */
type ExpiredRow = Omit<MessageRow, 'ord' | 'body'> & Counted & { readonly body: Buffer };

interface Seen {
  readonly state: 'held' | 'moving' | 'away';
  readonly is_over: boolean;
  readonly generation: number;
  readonly attempt: number;
  readonly ends: number;
}

function keyOf({ id, queue }: { id: string; queue: string }): [string, string] {
  return [cutText(id, LIMITS.nameBytes), cutText(queue, LIMITS.nameBytes)];
}

async function take(
  database: Database,
  statements: ReturnType<typeof leaseStatements>,
  { queue, owner, request, leaseMs, generation, attempt, message }: Parameters<Leases['take']>[0],
): Promise<LeaseTake> {
  const key = keyOf({ id: message.id, queue });
  const row = messageRow(message, 0);
  const values = [
    ...key,
    leaseMs,
    cutText(owner, LIMITS.nameBytes),
    generation,
    attempt,
    row.exchange,
    row.routing_key,
    row.body,
    row.properties,
    cutText(request, LIMITS.nameBytes),
  ];
  for (;;) {
    const [taken] = await database.query<Counted & { checkpoint: string | null }>(
      statements.take,
      values,
    );
    if (taken !== undefined) {
      const { token, crashes, checkpoint } = taken;
      return { kind: 'taken', token, crashes, checkpoint: checkpoint ?? undefined };
    }
    const [seen] = await database.query<Seen>(statements.look, key);
    // Gone to the broker, or deleted, between the two: take it.
    if (seen === undefined || seen.state === 'away') continue;
    const isOlder =
      seen.generation > generation || (seen.generation === generation && seen.attempt >= attempt);
    if (seen.state === 'held' && !seen.is_over && isOlder) return { kind: 'duplicate' };
    if (!seen.is_over || isOlder) return { kind: 'busy', leaseEndsAtMs: seen.ends };
  }
}
