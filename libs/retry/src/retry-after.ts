/** A server that names a later time is asked after this: a job's attempts are few, and its life has an end. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * Milliseconds to wait by a `Retry-After` header, in seconds or as a date (RFC 9110, 10.2.3); at most an hour. Undefined
 * where there is none that can be read.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,15}$/.test(text) ? Number(text) * 1_000 : dateOf(text) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : undefined;
}

/** Only what looks like an HTTP date: `Date.parse` finds a year in nearly any word with a number. */
function dateOf(text: string): number {
  return /^[A-Z][a-z]{2,8},? .{10,40}$/.test(text) ? Date.parse(text) : Number.NaN;
}
