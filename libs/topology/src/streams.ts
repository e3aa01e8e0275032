import { ConfigInvalidError } from '@warren/contracts';
import type { HistoryBounds } from './check-options.ts';
import type { Names } from './names.ts';
import type { QueueSpec } from './specs.ts';

const DEFAULT_MAX_AGE = '7D';
const DEFAULT_MAX_BYTES = 5_000_000_000;

/** Retention drops whole segments, and looks only when one is full. */
const MAX_SEGMENT_BYTES = 100_000_000;
const MIN_SEGMENT_BYTES = 1_000_000;

const SMALL_STREAM_BYTES = 100_000_000;

const AGE = /^[1-9]\d{0,8}[YMDhms]$/;

/** @throws ConfigInvalidError naming `maxAge` or `maxBytes` */
export function checkHistory({ maxAge = DEFAULT_MAX_AGE, maxBytes }: HistoryBounds): void {
  if (!AGE.test(maxAge)) {
    throw new ConfigInvalidError('maxAge', `${JSON.stringify(maxAge)} is no age such as "7D"`);
  }
  if (maxBytes !== undefined && !(Number.isSafeInteger(maxBytes) && maxBytes >= 1)) {
    throw new ConfigInvalidError('maxBytes', `expected a whole number from 1, got ${maxBytes}`);
  }
}

/**
 * The streams: what happened, what is paused or limited, what was cancelled. A stream keeps what was read, so any number of
 * readers follow it, each from its own offset. Of `control` the last message is enough; `cancels` older than a day are in
 * the store.
 */
export function streamSpecs(
  names: Names,
  { maxAge = DEFAULT_MAX_AGE, maxBytes = DEFAULT_MAX_BYTES }: HistoryBounds,
): QueueSpec[] {
  return [
    stream(names.history, { maxAge, maxBytes }),
    stream(names.control, { maxBytes: SMALL_STREAM_BYTES }),
    stream(names.cancels, { maxAge: '1D', maxBytes: SMALL_STREAM_BYTES }),
  ];
}

function stream(
  name: string,
  { maxAge, maxBytes }: { readonly maxAge?: string; readonly maxBytes: number },
): QueueSpec {
  return Object.freeze({
    kind: 'queue',
    name,
    role: 'stream',
    arguments: Object.freeze({
      'x-queue-type': 'stream',
      ...(maxAge !== undefined && { 'x-max-age': maxAge }),
      'x-max-length-bytes': maxBytes,
      'x-stream-max-segment-size-bytes': segmentBytes(maxBytes),
    }),
  });
}

/** Small enough that a stream is at most a quarter over its bound. */
function segmentBytes(maxBytes: number): number {
  return Math.min(MAX_SEGMENT_BYTES, Math.max(MIN_SEGMENT_BYTES, Math.floor(maxBytes / 4)));
}
