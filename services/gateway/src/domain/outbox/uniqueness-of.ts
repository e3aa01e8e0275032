import { type Duration, durationToMs } from '@warren/contracts';
import type { Uniqueness } from '@warren/store';
import type { JobRequest } from '../accept-job.ts';
import { payloadHash } from './payload-hash.ts';

const MAX_WAITS = 10;

/** Longest time that a job may be put off, however often. */
export const LONGEST_WAIT_MS = 7 * 86_400_000;

/** Options of which a request has one at most. */
export type UniqueOption = 'unique' | 'throttle' | 'debounce';

/** By which of the options requests are one job, if by any. */
export function uniqueOptionOf({
  unique,
  throttle,
  debounce,
}: { readonly [Name in UniqueOption]?: string | undefined }): UniqueOption | undefined {
  if (unique !== undefined) return 'unique';
  if (throttle !== undefined) return 'throttle';
  return debounce === undefined ? undefined : 'debounce';
}

/**
 * What the store is told of a request whose options were checked; undefined where every request is a job.
 * @param maxAgeMs of the job type: no job is under way for longer
 */
export function uniquenessOf(request: JobRequest, maxAgeMs: number): Uniqueness | undefined {
  const { unique, throttle, debounce } = request;
  if (unique !== undefined) return { kind: 'active', key: keyOf(request), maxAgeMs };
  if (throttle !== undefined) {
    const periodMs = durationToMs(throttle, 'throttle');
    return { kind: 'throttle', key: keyOf(request), periodMs };
  }
  if (debounce === undefined) return undefined;
  const waitMs = durationToMs(debounce, 'debounce');
  return {
    kind: 'debounce',
    key: keyOf(request),
    waitMs,
    maxWaitMs: longestWaitMs(waitMs, request.maxWait),
  };
}

function longestWaitMs(waitMs: number, maxWait: Duration | undefined): number {
  if (maxWait !== undefined) return durationToMs(maxWait, 'maxWait');
  return Math.min(waitMs * MAX_WAITS, LONGEST_WAIT_MS);
}

/** A key that was given is never one that was made of a payload. */
function keyOf({ type, payload, uniqueKey }: JobRequest): string {
  return uniqueKey === undefined ? `payload ${payloadHash(type, payload)}` : `key ${uniqueKey}`;
}
