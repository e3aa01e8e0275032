import type { Sql, SqlValue } from '../database/database.ts';
import { schemaNames } from '../schema-names.ts';
import { acceptJobs } from './accept.ts';
import { acceptStatement } from './accept-statement.ts';
import type { Acceptance, Accepted } from './types.ts';

/** A client or pool of `pg`, or what looks like one: it is in a transaction of the caller's. */
export interface QueryClient {
  query(text: string, values: SqlValue[]): Promise<{ readonly rows: unknown[] }>;
}

/**
 * Accepts jobs in the caller's own transaction: they are published if it commits, by whichever relay serves the
 * namespace. The store must have been opened once, so that its tables are there. The bound of the outbox is not checked.
 */
export function acceptInTransaction(
  client: QueryClient,
  jobs: readonly Acceptance[],
  { namespace }: { readonly namespace?: string | undefined } = {},
): Promise<readonly Accepted[]> {
  const statement = acceptStatement(schemaNames(namespace));
  const sql: Sql = {
    query: async <Row>(text: string, values: readonly SqlValue[] = []) =>
      (await client.query(text, [...values])).rows as Row[],
  };
  return acceptJobs(sql, statement, jobs, 0);
}
