/** What is asked for one key of one limit. A key comes once in a call. */
export interface LimitRequest {
  readonly name: string;
  readonly key: string;
  /** From one start to the next. */
  readonly intervalMs: number;
  /** Starts that may come at once after a rest. */
  readonly burst: number;
  /** Starts that are wanted now. */
  readonly wanted: number;
  /** Jobs that are to come back when it may be their turn. */
  readonly putOff: number;
  /** Nothing is put off for longer. */
  readonly maxPutOffMs: number;
}

/** All times are from now on, by the database's clock. */
export interface LimitAnswer {
  /** Up to `wanted`. */
  readonly granted: number;
  /** Still to be had now. */
  readonly left: number;
  /** Until the next one is to be had; 0 where some are left. */
  readonly freeInMs: number;
  /** When it may be the turn of the first that was put off; of each further one an interval later. */
  readonly putOffInMs: number;
  /** Now: ms since 1970, not a whole number. */
  readonly atMs: number;
}

/** Limits that all processes share. */
export interface StoredLimits {
  /** Many keys at once are one statement. Answers are in the order of the requests. */
  ask(requests: readonly LimitRequest[]): Promise<readonly LimitAnswer[]>;
}
