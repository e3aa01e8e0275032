import { ConfigInvalidError, timeOfJobId } from '@warren/contracts';

/** How long, and how far back, to look for the end of a job. */
export interface WaitOptions {
  /** From 1 to 86,400,000, a day. */
  readonly timeoutMs: number;
  /**
   * Its end may be as old as this. Default: the time in the job's id, or a minute ago where it has none; five minutes ago at
   * most. The further back, the more has to be read first.
   */
  readonly since?: Date | undefined;
  /** The job type, or the subscriber of an event; without one, the first to end with this id. */
  readonly queue?: string | undefined;
}

const OPTIONS = ['timeoutMs', 'since', 'queue'];
const MAX_TIMEOUT_MS = 86_400_000;
const DEFAULT_BACK_MS = 60_000;
const MAX_DEFAULT_BACK_MS = 300_000;

/**
 * From when on the end of the job is to be looked for, ms since 1970.
 * @throws ConfigInvalidError naming `id` or the option
 */
export function checkWait(id: string, options: WaitOptions, nowMs: number): number {
  if (typeof id !== 'string' || id === '') throw new ConfigInvalidError('id', 'expected text');
  for (const name in options) {
    if (!OPTIONS.includes(name)) {
      throw new ConfigInvalidError(name, `unknown option (known: ${OPTIONS.join(', ')})`);
    }
  }
  const { timeoutMs, since, queue } = options;
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new ConfigInvalidError('timeoutMs', `expected 1 to ${MAX_TIMEOUT_MS}, got ${timeoutMs}`);
  }
  if (queue !== undefined && (typeof queue !== 'string' || queue === '')) {
    throw new ConfigInvalidError('queue', 'expected a job type or a subscriber');
  }
  return sinceMsOf(id, since, nowMs);
}

function sinceMsOf(id: string, since: Date | undefined, nowMs: number): number {
  if (since === undefined) {
    const bornMs = timeOfJobId(id) ?? nowMs - DEFAULT_BACK_MS;
    return Math.max(Math.min(bornMs, nowMs), nowMs - MAX_DEFAULT_BACK_MS);
  }
  if (!(since instanceof Date) || Number.isNaN(since.getTime())) {
    throw new ConfigInvalidError('since', 'expected a valid Date');
  }
  return Math.min(since.getTime(), nowMs);
}
