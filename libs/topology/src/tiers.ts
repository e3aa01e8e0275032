/** A delay that the broker can keep a message for: one queue per tier, one delay per queue. */
export interface RetryTier {
  /** The delay as people read it in a queue's name, such as `30s`. */
  readonly name: string;
  readonly delayMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The retry tiers, ascending. Any delay is travelled through one or more of them.
 * Each tier has a queue of its own because expiry acts only at a queue's head: a short delay behind a
 * longer one would wait for the longer one.
 */
export const RETRY_TIERS: readonly RetryTier[] = Object.freeze(
  (
    [
      ['250ms', 250],
      ['500ms', 500],
      ['1s', SECOND],
      ['2s', 2 * SECOND],
      ['5s', 5 * SECOND],
      ['10s', 10 * SECOND],
      ['20s', 20 * SECOND],
      ['30s', 30 * SECOND],
      ['1m', MINUTE],
      ['2m', 2 * MINUTE],
      ['5m', 5 * MINUTE],
      ['10m', 10 * MINUTE],
      ['20m', 20 * MINUTE],
      ['30m', 30 * MINUTE],
      ['1h', HOUR],
      ['2h', 2 * HOUR],
      ['4h', 4 * HOUR],
      ['8h', 8 * HOUR],
      ['24h', 24 * HOUR],
    ] as const
  ).map(([name, delayMs]) => Object.freeze({ name, delayMs })),
);
