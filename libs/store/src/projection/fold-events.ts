import { timeOfJobId } from '@warren/contracts';
import type { HistoryEvent } from '@warren/history';
import { cutText } from '../clean-text.ts';
import { type AttemptRow, emptyAttemptRow, foldAttempt } from './fold-attempt.ts';
import { compareText, type EventKey, eventKey, foldJob } from './fold-job.ts';
import { emptyJobRow, isProvisional, type JobRow } from './job-row.ts';
import { LIMITS } from './limits.ts';
import { type LogRow, logRow, newestLines } from './log-lines.ts';

/** What a batch of events comes to: one row for each job and each run, sorted, so that writers never lock crosswise. */
export interface Folded {
  readonly jobs: readonly JobRow[];
  readonly attempts: readonly AttemptRow[];
  readonly logs: readonly LogRow[];
}

interface Entry {
  readonly row: JobRow;
  readonly attempts: Map<string, AttemptRow>;
  readonly lines: LogRow[];
}

/** Folds events of any jobs in any order. Acceptances of a job of which anything else is told are left out. */
export function foldEvents(events: readonly HistoryEvent[]): Folded {
  const entries = new Map<string, Entry>();
  for (const event of events) fold(entries, event);
  const sorted = [...entries.values()].sort((a, b) => compareRows(a.row, b.row));
  return {
    jobs: sorted.map(({ row }) => row),
    attempts: sorted.flatMap(({ attempts }) =>
      [...attempts.values()].sort((a, b) => compareText(a.run, b.run)),
    ),
    logs: sorted.flatMap(({ lines }) => newestLines(lines)),
  };
}

function fold(entries: Map<string, Entry>, event: HistoryEvent): void {
  const key = eventKey(event, cutText(event.run ?? '', LIMITS.nameBytes));
  const entry = entryOf(entries, event, key);
  if (entry === undefined) return;
  foldJob(entry.row, event, key);
  if (event.kind === 'accepted' || (key.run === '' && event.kind !== 'log')) return;
  foldAttempt(attemptOf(entry, key), event, key);
  if (event.kind !== 'log') return;
  entry.lines.push(logRow(entry.row.id, entry.row.queue, event, key));
  // A job that writes without end must not fill the memory first.
  if (entry.lines.length > 10 * LIMITS.linesPerJob) {
    entry.lines.splice(0, entry.lines.length, ...newestLines(entry.lines));
  }
}

/** Undefined for an acceptance that no longer counts. */
function entryOf(
  entries: Map<string, Entry>,
  event: HistoryEvent,
  key: EventKey,
): Entry | undefined {
  const id = cutText(event.id, LIMITS.nameBytes);
  const queue = cutText(event.queue, LIMITS.nameBytes);
  const name = `${queue}\0${id}`;
  const known = entries.get(name);
  if (known !== undefined) {
    const isAcceptance = event.kind === 'accepted';
    if (isProvisional(known.row) === isAcceptance) return known;
    if (isAcceptance) return undefined;
  }
  // As its message is dated, so that it makes no difference which events of a job are told.
  const createdAtMs = Math.min(key.atMs, timeOfJobId(id) ?? key.atMs);
  const row = emptyJobRow(id, queue, cutText(event.type, LIMITS.nameBytes), createdAtMs);
  const entry = { row, attempts: new Map<string, AttemptRow>(), lines: [] };
  entries.set(name, entry);
  return entry;
}

function attemptOf(entry: Entry, key: EventKey): AttemptRow {
  const known = entry.attempts.get(key.run);
  if (known !== undefined) return known;
  const row = emptyAttemptRow(entry.row.id, entry.row.queue, key);
  entry.attempts.set(key.run, row);
  return row;
}

function compareRows(a: JobRow, b: JobRow): number {
  return compareText(a.id, b.id) || compareText(a.queue, b.queue);
}
