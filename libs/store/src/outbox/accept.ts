import type { Sql } from '../database/database.ts';
import { foldEvents } from '../projection/fold-events.ts';
import { storedKey } from '../stored-key.ts';
import { messageRow } from './message-row.ts';
import type { Acceptance, Accepted } from './types.ts';

/** What the statement says of keys that came before. */
interface KnownRow {
  readonly ord: number;
  readonly first_id: string;
  readonly first_hash: string;
}

/** Writes jobs; the answers are in the same order. */
export async function acceptJobs(
  sql: Sql,
  statement: string,
  jobs: readonly Acceptance[],
  delayMs: number,
): Promise<Accepted[]> {
  const first = firstByKey(jobs);
  const leaders = jobs.map((_, ord) => ord).filter((ord) => leaderOf(jobs, first, ord) === ord);
  const rows = leaders.map((ord) => acceptRow(jobs[ord] as Acceptance, ord));
  const { jobs: jobRows } = foldEvents(leaders.map((ord) => (jobs[ord] as Acceptance).event));
  const known = await sql.query<KnownRow>(statement, [
    JSON.stringify(rows),
    JSON.stringify(jobRows),
    delayMs,
  ]);
  const byOrd = new Map(known.map((row) => [row.ord, row]));
  return jobs.map((_, ord) => answer(jobs, ord, leaderOf(jobs, first, ord), byOrd));
}

function acceptRow(acceptance: Acceptance, ord: number) {
  const { message, idempotency } = acceptance;
  return {
    ...messageRow(message, ord),
    key: idempotency === undefined ? null : storedKey(idempotency.key),
    payload_hash: hashOf(acceptance),
  };
}

/** Within one batch the first with a key speaks for all. */
function firstByKey(jobs: readonly Acceptance[]): Map<string, number> {
  const first = new Map<string, number>();
  jobs.forEach(({ idempotency }, ord) => {
    if (idempotency !== undefined && !first.has(idempotency.key)) first.set(idempotency.key, ord);
  });
  return first;
}

function leaderOf(
  jobs: readonly Acceptance[],
  first: ReadonlyMap<string, number>,
  ord: number,
): number {
  const key = jobs[ord]?.idempotency?.key;
  return key === undefined ? ord : (first.get(key) ?? ord);
}

function answer(
  jobs: readonly Acceptance[],
  ord: number,
  leader: number,
  known: ReadonlyMap<number, KnownRow>,
): Accepted {
  const job = jobs[ord] as Acceptance;
  const ahead = jobs[leader] as Acceptance;
  const row = known.get(leader);
  if (row === undefined && leader === ord) return { kind: 'accepted', id: job.message.id };
  const firstHash = row?.first_hash ?? hashOf(ahead);
  const id = row?.first_id ?? ahead.message.id;
  return { kind: firstHash === hashOf(job) ? 'duplicate' : 'conflict', id };
}

function hashOf({ idempotency }: Acceptance): string | null {
  return idempotency === undefined ? null : storedKey(idempotency.payloadHash);
}
