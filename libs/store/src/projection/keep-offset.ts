import type { Sql } from '../database/database.ts';
import type { StreamOffset } from './types.ts';

/** How the offset of a stream is kept; the first two where it matters what was kept before. */
interface OffsetStatements {
  readonly first: string;
  readonly next: string;
  readonly furthest: string;
}

/** The statements for one schema. */
export function offsetStatements(schema: string): OffsetStatements {
  const insert = `INSERT INTO ${schema}.offsets AS o (stream, "offset") VALUES ($1::text, $2::bigint)`;
  return {
    first: `${insert} ON CONFLICT (stream) DO NOTHING RETURNING 1`,
    next: `UPDATE ${schema}.offsets SET "offset" = $2::bigint
      WHERE stream = $1::text AND "offset" = $3::bigint RETURNING 1`,
    furthest: `${insert} ON CONFLICT (stream) DO UPDATE
      SET "offset" = greatest(o."offset", excluded."offset") RETURNING 1`,
  };
}

/** False when another offset is kept than the one that this is said to follow: nothing was changed. */
export async function keepOffset(
  sql: Sql,
  statements: OffsetStatements,
  { stream, offset, after }: StreamOffset,
): Promise<boolean> {
  const text = after === null ? statements.first : statements.next;
  const rows =
    after === undefined
      ? await sql.query(statements.furthest, [stream, offset])
      : await sql.query(text, after === null ? [stream, offset] : [stream, offset, after]);
  return rows.length > 0;
}
