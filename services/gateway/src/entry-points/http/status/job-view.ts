import type { AttemptRecord, JobRecord, LogPage, LogRecord } from '@warren/store';

/** A job as answers show it: times in ISO 8601, nothing that is not known. */
export function jobView(job: JobRecord) {
  const { createdAtMs, startedAtMs, finishedAtMs, dueAtMs, updatedAtMs, ...rest } = job;
  return {
    ...rest,
    createdAt: time(createdAtMs),
    startedAt: time(startedAtMs),
    finishedAt: time(finishedAtMs),
    dueAt: time(dueAtMs),
    updatedAt: time(updatedAtMs),
  };
}

/** One run of a job's handler. */
export function attemptView({ startedAtMs, endedAtMs, ...rest }: AttemptRecord) {
  return { ...rest, startedAt: time(startedAtMs), endedAt: time(endedAtMs) };
}

/** A page of a job's log. */
export function logView({ items, ...rest }: LogPage) {
  return { lines: items.map(lineView), ...rest };
}

function lineView({ atMs, ...rest }: LogRecord) {
  return { at: time(atMs), ...rest };
}

/** Clocks of others may say anything: what is no date is not told. */
export function time(ms: number | undefined): string | undefined {
  if (ms === undefined || !(Math.abs(ms) <= 8_640_000_000_000_000)) return undefined;
  return new Date(ms).toISOString();
}
