import { cutText } from '../clean-text.ts';
import type { Sql } from '../database/database.ts';
import { decodeCursor, encodeCursor } from '../jobs/cursor.ts';
import { boundedLimit } from '../jobs/list-jobs.ts';
import { LIMITS } from '../projection/limits.ts';
import type { Audit, AuditRecord } from './types.ts';

interface AuditRow {
  readonly seq: number;
  readonly at_ms: number;
  readonly actor: string;
  readonly action: string;
  readonly details: string;
}

const SCOPE = 'audit';

/** Who did what on purpose, newest first. */
export function createAudit(sql: Sql, schema: string): Audit {
  const write = `INSERT INTO ${schema}.audit (actor, action, details) VALUES ($1::text, $2::text, $3::text)`;
  const list = `SELECT seq, floor(extract(epoch FROM at) * 1000)::bigint AS at_ms, actor, action, details
    FROM ${schema}.audit WHERE seq < $1::bigint ORDER BY seq DESC LIMIT $2::int`;
  return {
    async write({ actor, action, details }) {
      const names = [actor, action].map((name) => cutText(name, LIMITS.nameBytes));
      // JSON spells out what text cannot hold.
      await sql.query(write, [...names, JSON.stringify(details ?? null)]);
    },
    async list(page) {
      const limit = boundedLimit(page.limit);
      const [before = Number.MAX_SAFE_INTEGER] =
        page.cursor === undefined ? [] : decodeCursor(SCOPE, page.cursor, ['number']);
      const rows = await sql.query<AuditRow>(list, [before, limit + 1]);
      const items = rows.slice(0, limit);
      const last = rows.length > limit ? items.at(-1) : undefined;
      return { items: items.map(auditRecord), cursor: last && encodeCursor(SCOPE, [last.seq]) };
    },
  };
}

function auditRecord({ at_ms, actor, action, details }: AuditRow): AuditRecord {
  return { atMs: at_ms, actor, action, details: JSON.parse(details) };
}
