import { WORKER_SILENT } from '@warren/history';
import type { SchemaNames } from '../schema-names.ts';
import type { JobRow } from './job-row.ts';

/** What readers select besides, of a row of jobs named `j`. */
export interface DoubtRow {
  /** The last event of its queue that is known to be missing, where that may be one of this job's. */
  readonly dropped_until_ms: number | null;
  /** Neither in the outbox nor told by whoever published it. */
  readonly is_adrift: boolean;
}

/** Between the end of an outbox row and what the history tells of it, a tracker that lags must not raise doubts. */
const ADRIFT_AFTER_MS = 60_000;

/** An accepted job `j` that nobody has. */
export function isAdrift({ primary }: SchemaNames): string {
  const longAgoMs = `floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${ADRIFT_AFTER_MS}`;
  return `(j.state = 'accepted' AND j.updated_at_ms < ${longAgoMs}
    AND NOT EXISTS (SELECT FROM ${primary}.outbox AS o WHERE o.id = j.id))`;
}

/** A job `j` that was left by a worker that died. */
export const IS_LEFT = `(j.state = 'interrupted' AND j.reason = '${WORKER_SILENT}')`;

/** The columns of `DoubtRow`. */
export function doubtSelect(schemas: SchemaNames): string {
  return `(SELECT max(d.to_ms) FROM ${schemas.projection}.drops AS d
      WHERE d.queue IN (j.queue, '') AND d.to_ms >= j.updated_at_ms) AS dropped_until_ms,
    ${isAdrift(schemas)} AS is_adrift`;
}

/** Why the state of a job may not be the last word; undefined where it is, as far as anybody can know. */
export function doubtOf(row: JobRow & DoubtRow): string | undefined {
  if (row.finished_at_ms !== null) return undefined;
  if (row.is_adrift) return 'it has left the outbox, and nobody told that the broker has it';
  if (row.state === 'interrupted' && row.reason === WORKER_SILENT) {
    return 'its worker died: if it succeeded, its result was not told';
  }
  if (row.dropped_until_ms === null) return undefined;
  const until = new Date(row.dropped_until_ms).toISOString();
  return `events of its queue were lost until ${until}: it may have gone on, or ended`;
}
