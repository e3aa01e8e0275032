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

/** What is used of one key of a limit, by the rule that it was asked by last. All times are from now on. */
export interface LimitKeyUse {
  /** As it is kept: long or odd keys by their hash. */
  readonly key: string;
  readonly burst: number;
  /** To be had at once. */
  readonly left: number;
  /** Until the next one is to be had; 0 where some are left. */
  readonly freeInMs: number;
  /** How far ahead jobs were put off; 0 for none. */
  readonly putOffMs: number;
}

/** What is used of one limit. */
export interface LimitUse {
  readonly name: string;
  /** Keys that are not as if they had never been used. */
  readonly keys: number;
  /** Those of them with the longest waits, at most five. */
  readonly busiest: readonly LimitKeyUse[];
}

/** Limits that all processes share. */
export interface StoredLimits {
  /** Many keys at once are one statement. Answers are in the order of the requests. */
  ask(requests: readonly LimitRequest[]): Promise<readonly LimitAnswer[]>;
  /** All limits that are kept, by name. Looks at all their keys: for people, not for loops. */
  uses(): Promise<readonly LimitUse[]>;
}
