import { ConfigInvalidError, type JobDefinition, type PayloadInput } from '@warren/contracts';
import type { PublishOptions } from '../publish-options.ts';
import type { SqlRunner } from './outbox-port.ts';
import { type OutboxTableOptions, outboxTable } from './outbox-table.ts';
import { toStoredJob } from './stored-job.ts';

/** What may be said about one job that is published with a transaction. */
export type TransactionOptions = Omit<PublishOptions, 'timeoutMs'> & OutboxTableOptions;

/**
 * Writes a job into the outbox, as a part of the transaction that the client is in: it is published if that commits, and never
 * existed if not. Resolves when the row is written, which says nothing about the commit. A delay counts from now.
 * @throws PayloadInvalidError, PayloadTooLargeError, HeaderInvalidError, ConfigInvalidError (option): nothing was written
 * @throws whatever the client throws
 */
export async function publishInTransaction<Definition extends JobDefinition>(
  client: SqlRunner,
  job: Definition,
  payload: PayloadInput<Definition>,
  { schema, ...options }: TransactionOptions = {},
): Promise<{ readonly id: string }> {
  if ('timeoutMs' in options) {
    throw new ConfigInvalidError('timeoutMs', 'means nothing here: the client has its own');
  }
  const table = outboxTable({ schema });
  const { id, type, body, properties, notBeforeMs } = await toStoredJob(job, payload, options);
  await client.query(
    `INSERT INTO ${table} (id, type, body, properties, not_before_ms)
     VALUES ($1::text, $2::text, $3::bytea, $4::text, $5::bigint)`,
    // JSON spells out what a text of PostgreSQL cannot hold.
    [id, type, body, JSON.stringify(properties), notBeforeMs ?? null],
  );
  return { id };
}
