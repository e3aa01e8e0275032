import { WarrenError } from '@warren/contracts';

const FIRST_MS = 1_000;
const LAST_MS = 300_000;
/** The row has no part in it. */
const NOT_ITS_FAULT: readonly string[] = [
  'BROKER_UNAVAILABLE',
  'BROKER_BLOCKED',
  'PUBLISH_BUFFER_FULL',
];

/** When a message that was not published is due again. It grows with each time that it was taken, up to five minutes. */
export function putBackDelayMs(error: unknown, leases: number): number {
  const code = error instanceof WarrenError ? error.code : '';
  if (code === 'SHUTTING_DOWN') return 0;
  if (NOT_ITS_FAULT.includes(code)) return FIRST_MS;
  return Math.min(LAST_MS, FIRST_MS * 2 ** Math.min(Math.max(leases, 1) - 1, 20));
}

/** The pause after the database failed so many times in a row. */
export function failurePauseMs(failures: number): number {
  return Math.min(5_000, 100 * 2 ** Math.min(failures - 1, 10));
}
