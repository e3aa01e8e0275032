/** What a call says of the dependency. `neutral`: nothing. */
export type Verdict = 'success' | 'failure' | 'neutral';

/** Codes of errors that say nothing of the dependency, whoever threw them. */
const NEUTRAL_CODES = new Set<unknown>([
  'NON_RETRYABLE',
  'RETRY_AFTER',
  'SNOOZE',
  'PAYLOAD_INVALID',
  'PAYLOAD_TOO_LARGE',
  'CONFIG_INVALID',
  'CIRCUIT_OPEN',
  'JOB_CANCELLED',
  'DELIVERY_LOST',
  'CLAIM_LOST',
  'LEASE_LOST',
  'SHUTTING_DOWN',
  // Of opossum, where a handler uses one by itself: its own capacity was reached.
  'ESEMLOCKED',
  'EOPENBREAKER',
]);

/** Judges what a call threw. Never throws: a rule that throws has not excused the error. */
export function verdictOn(error: unknown, isFailure: (error: unknown) => boolean): Verdict {
  try {
    if (NEUTRAL_CODES.has(Object(error).code)) return 'neutral';
    return isFailure(error) ? 'failure' : 'neutral';
  } catch {
    return 'failure';
  }
}
