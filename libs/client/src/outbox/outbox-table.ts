import { ConfigInvalidError } from '@warren/contracts';
import type { SqlRunner } from './outbox-port.ts';

/** Where the table is. */
export interface OutboxTableOptions {
  /** Default `warren_outbox`. */
  readonly schema?: string | undefined;
}

const DEFAULT_SCHEMA = 'warren_outbox';
const SCHEMA = /^[a-z_][a-z0-9_-]{0,62}$/;
/** Two processes that make the same thing at once: PostgreSQL lets one of them fail, IF NOT EXISTS or not. */
const MADE_MEANWHILE: readonly unknown[] = ['23505', '42P06', '42P07', '42710'];

/**
 * The statements that make the outbox table, for whoever keeps migrations. Each may be run again.
 * @throws ConfigInvalidError naming `schema`
 */
export function outboxTableSql(options: OutboxTableOptions = {}): readonly string[] {
  const schema = quotedSchema(options);
  return [
    `CREATE SCHEMA IF NOT EXISTS ${schema}`,
    `CREATE TABLE IF NOT EXISTS ${schema}.jobs (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text NOT NULL,
      type text NOT NULL,
      body bytea NOT NULL,
      properties text NOT NULL,
      not_before_ms bigint,
      created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      leases integer NOT NULL DEFAULT 0,
      leased_by text,
      problem text
    ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)`,
    `CREATE INDEX IF NOT EXISTS jobs_due ON ${schema}.jobs (due_at, seq)`,
  ];
}

/**
 * Makes the outbox table, where it is not there yet. The role needs CREATE on the database.
 * @throws ConfigInvalidError naming `schema`, or whatever the client throws
 */
export async function createOutboxTable(
  client: SqlRunner,
  options: OutboxTableOptions = {},
): Promise<void> {
  for (const statement of outboxTableSql(options)) await make(client, statement);
}

/** As SQL has it. */
export function outboxTable(options: OutboxTableOptions): string {
  return `${quotedSchema(options)}.jobs`;
}

async function make(client: SqlRunner, statement: string): Promise<void> {
  try {
    await client.query(statement, []);
  } catch (error) {
    if (!MADE_MEANWHILE.includes((error as { code?: unknown }).code)) throw error;
    await client.query(statement, []);
  }
}

function quotedSchema({ schema = DEFAULT_SCHEMA }: OutboxTableOptions): string {
  if (typeof schema !== 'string' || !SCHEMA.test(schema)) {
    throw new ConfigInvalidError(
      'schema',
      'expected up to 63 lower-case letters, digits, "_" and "-", not beginning with a digit',
    );
  }
  return `"${schema}"`;
}
