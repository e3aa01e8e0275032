import type { Jobs } from '../jobs.ts';
import type { SqlRunner } from './outbox-port.ts';
import { OutboxRelay } from './outbox-relay.ts';
import type { OutboxTableOptions } from './outbox-table.ts';
import { postgresOutbox } from './postgres-outbox.ts';
import type { OutboxRelayOptions } from './relay-options.ts';

/** What a relay of the table that `publishInTransaction` writes needs. */
export interface StartOutboxRelayOptions
  extends Omit<OutboxRelayOptions, 'outbox' | 'jobs'>,
    OutboxTableOptions {
  /** Statements run on it by themselves, outside of any transaction. */
  readonly pool: SqlRunner;
  readonly jobs: Jobs;
}

/**
 * Publishes what `publishInTransaction` has written and the caller has committed, until it is stopped. It begins at once, also
 * while the database or the broker is away, and may run in any process, in several too.
 * @throws ConfigInvalidError naming the option
 */
export function startOutboxRelay(options: StartOutboxRelayOptions): OutboxRelay {
  const { pool, schema, jobs, ...rest } = options;
  return new OutboxRelay({ ...rest, jobs, outbox: postgresOutbox(pool, jobs.sender, { schema }) });
}
