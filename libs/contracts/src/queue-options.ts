import { count } from './payload-definition.ts';
import { flag } from './run-options.ts';

/** How jobs of a type wait. */
export interface QueueOptions {
  /**
   * With a queue for urgent jobs and one for those that have time, besides the type's own: `publish(…, { lane: 'high' })`.
   * They share the slots by weight, and none starves. Default false.
   */
  lanes?: boolean;
  /**
   * Jobs that may wait in the queue: more are refused with QueueFullError, until others have run. Each lane is counted by
   * itself, and no oftener than once a second, so that a burst can exceed it. Default: no bound.
   */
  maxDepth?: number;
}

/** The resolved form of QueueOptions. */
export interface QueuePolicy {
  readonly lanes: boolean;
  readonly maxDepth: number | undefined;
}

export const QUEUE_OPTIONS = ['lanes', 'maxDepth'];

const HIGHEST_DEPTH = 1_000_000_000;

/** @throws ConfigInvalidError naming the option */
export function resolveQueuePolicy({ lanes, maxDepth }: QueueOptions): QueuePolicy {
  return {
    lanes: flag(lanes ?? false, 'lanes'),
    maxDepth: maxDepth === undefined ? undefined : count(maxDepth, 'maxDepth', 1, HIGHEST_DEPTH),
  };
}
