/** The last instant that JavaScript can write as a date. */
const MAX_DATE_MS = 8.64e15;

/** A time as people and programs read it; what is no date as a number. */
export function timeText(ms: number | undefined): string {
  if (ms === undefined) return '(unknown)';
  return ms <= MAX_DATE_MS ? new Date(ms).toISOString() : String(ms);
}
