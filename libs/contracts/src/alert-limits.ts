import { type Duration, durationToMs } from './duration.ts';
import { ConfigInvalidError } from './errors.ts';
import type { Lane } from './lane.ts';
import { count } from './payload-definition.ts';
import { refuseUnknown } from './retry-policy.ts';

/** From when on somebody is told of jobs that wait. Nothing is refused because of it. */
export interface AlertOptions {
  /** Jobs that may wait in the queue. Default 1,000, or four fifths of `maxDepth` where that is less. */
  depth?: number;
  /** How soon jobs should start: 99 of 100 within this, from when they could. Default 1m. */
  startWithin?: Duration;
}

/** The resolved form of AlertOptions. */
export interface AlertLimits {
  readonly depth: number;
  readonly startWithinMs: number;
}

const DEFAULT_DEPTH = 1_000;
const HIGHEST_DEPTH = 1_000_000_000;
/** Somebody should know before jobs are refused. */
const SHARE_OF_MAX_DEPTH = 0.8;
/** What is published to the low lane has time: so many times as much may wait there, and for as many times as long. */
const LOW_LANE_FACTOR = 10;

/** @throws ConfigInvalidError naming the option */
export function resolveAlertLimits(
  options: AlertOptions = {},
  maxDepth: number | undefined,
): AlertLimits {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new ConfigInvalidError('alerts', 'expected an object with depth and startWithin');
  }
  refuseUnknown(options, ['depth', 'startWithin'], 'alerts');
  const { depth = belowMaxDepth(DEFAULT_DEPTH, maxDepth), startWithin = '1m' } = options;
  count(depth, 'alerts.depth', 1, HIGHEST_DEPTH);
  if (options.depth !== undefined && maxDepth !== undefined && depth >= maxDepth) {
    throw new ConfigInvalidError('alerts.depth', `expected less than maxDepth (${maxDepth})`);
  }
  const startWithinMs = durationToMs(startWithin, 'alerts.startWithin');
  if (startWithinMs < 1)
    throw new ConfigInvalidError('alerts.startWithin', 'expected more than 0ms');
  return Object.freeze({ depth, startWithinMs });
}

/** The limits of one lane's queue: the low lane's are ten times the type's. */
export function alertLimitsOf(
  { alerts, maxDepth }: { readonly alerts: AlertLimits; readonly maxDepth: number | undefined },
  lane: Lane,
): AlertLimits {
  if (lane !== 'low') return alerts;
  return {
    depth: Math.max(alerts.depth, belowMaxDepth(alerts.depth * LOW_LANE_FACTOR, maxDepth)),
    startWithinMs: alerts.startWithinMs * LOW_LANE_FACTOR,
  };
}

const belowMaxDepth = (depth: number, maxDepth = Number.POSITIVE_INFINITY): number =>
  Math.max(1, Math.min(depth, Math.floor(maxDepth * SHARE_OF_MAX_DEPTH)));
