import type { LimitRule } from '@warren/contracts';

/** What is asked for one key of one limit. A key comes once in a call. */
export interface LimitRequest extends LimitRule {
  /** Of the limit. */
  readonly name: string;
  readonly key: string;
  /** Starts that are wanted now. */
  readonly wanted: number;
  /** Jobs that are to come back when it may be their turn. */
  readonly putOff: number;
  /** Nothing is put off for longer. */
  readonly maxPutOffMs: number;
}

/** All times are from now on. */
export interface LimitAnswer {
  /** Up to `wanted`. */
  readonly granted: number;
  /** Still to be had now. */
  readonly left: number;
  /** Until the next one is to be had; 0 where some are left. */
  readonly freeInMs: number;
  /** When it may be the turn of the first that was put off; of each further one an interval later. */
  readonly putOffInMs: number;
}

/** Where limits that all processes share are counted: the limits of the store are such. */
export interface LimitsPort {
  /** Answers are in the order of the requests. May reject: then it is unknown what was granted, and nothing may start. */
  ask(requests: readonly LimitRequest[]): Promise<readonly LimitAnswer[]>;
}
