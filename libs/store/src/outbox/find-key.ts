import type { Sql } from '../database/database.ts';
import { storedKey } from '../stored-key.ts';
import type { UniqueOutbox } from '../unique/types.ts';
import type { Acceptance } from './types.ts';

/** What a key that came before is answered with. */
export async function findKey(
  sql: Sql,
  schema: string,
  { key, payloadHash }: NonNullable<Acceptance['idempotency']>,
): ReturnType<UniqueOutbox['findKey']> {
  const [row] = await sql.query<{ job_id: string; payload_hash: string }>(
    `SELECT job_id, payload_hash FROM ${schema}.idempotency_keys WHERE key = $1::text`,
    [storedKey(key)],
  );
  if (row === undefined) return undefined;
  const isSame = row.payload_hash === storedKey(payloadHash);
  return { kind: isSame ? 'duplicate' : 'conflict', id: row.job_id };
}
