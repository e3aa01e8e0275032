import type { HistoryEvent } from '@warren/history';
import { cleanText, cutText, wholeNumber } from '../clean-text.ts';
import { compareText, type EventKey } from './fold-job.ts';
import { LIMITS } from './limits.ts';

/** A line as a row of the table. */
export interface LogRow {
  readonly id: string;
  readonly queue: string;
  readonly run: string;
  readonly seq: number;
  readonly at_ms: number;
  readonly level: string;
  readonly message: string;
  readonly fields: string | null;
  readonly is_cut: boolean;
}

const LEVEL_BYTES = 10;

export function logRow(
  id: string,
  queue: string,
  event: Extract<HistoryEvent, { kind: 'log' }>,
  key: EventKey,
): LogRow {
  const message = cutText(event.message, LIMITS.lineBytes);
  const fields = fieldsOf(event.fields);
  return {
    id,
    queue,
    run: key.run,
    seq: wholeNumber(event.seq, LIMITS.integer),
    at_ms: key.atMs,
    level: cutText(event.level, LEVEL_BYTES),
    message,
    fields: fields ?? null,
    is_cut:
      (fields === undefined && event.fields !== undefined) ||
      cleanText(event.message).length > message.length,
  };
}

/** Part of a JSON text is none, so fields are kept whole or not at all. */
function fieldsOf(fields: string | undefined): string | undefined {
  if (fields === undefined || Buffer.byteLength(fields) > LIMITS.lineBytes) return undefined;
  return cleanText(fields);
}

/** The newest lines of one job, as many as are kept: older ones need not be written first. Repetitions take no other's place. */
export function newestLines(rows: readonly LogRow[]): readonly LogRow[] {
  if (rows.length <= LIMITS.linesPerJob) return rows;
  return [...rows]
    .sort((a, b) => compareText(a.run, b.run) || a.seq - b.seq)
    .filter(({ run, seq }, at, all) => run !== all[at - 1]?.run || seq !== all[at - 1]?.seq)
    .slice(-LIMITS.linesPerJob);
}
