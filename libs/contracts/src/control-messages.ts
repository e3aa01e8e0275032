import { isRatesByName, type LimitRate } from './limit-options.ts';
import { isCountsByQueue, type QueueCounts } from './queue-counts.ts';

/** Asks the workers to end a job: a message of the stream `jobs.cancels`. */
export interface CancelRequest {
  readonly id: string;
  /** The job type, or the subscriber; without one, every job with this id. */
  readonly queue?: string | undefined;
  /** This generation and those before it; without one, all. A replay raises the generation, and is not meant. */
  readonly generation?: number | undefined;
  /** Who asked. */
  readonly by?: string | undefined;
  /** ms since 1970. */
  readonly atMs: number;
}

/** All that is switched by hand, as one message of the stream `jobs.control`: the last one counts. */
export interface ControlSnapshot {
  /** Job types and subscribers whose queues nobody is to consume. */
  readonly pausedQueues: readonly string[];
  /** Circuit breakers that are held open or closed by hand, by name. */
  readonly breakers?: Readonly<Record<string, 'open' | 'closed'>> | undefined;
  /** What workers run at once and fetch, by job type or subscriber; for all others as code and environment say. */
  readonly concurrency?: Readonly<Record<string, QueueCounts>> | undefined;
  /** Rates of limits by their names, for all keys; for all others as the code says. */
  readonly limits?: Readonly<Record<string, LimitRate>> | undefined;
  /** ms since 1970. */
  readonly atMs: number;
}

const VERSION = 1;
/** As long as an id or a name can be at the broker. */
const MAX_TEXT = 255;

/** The body of a request to cancel. */
export function encodeCancelRequest(request: CancelRequest): Buffer {
  return Buffer.from(JSON.stringify({ v: VERSION, ...request }));
}

/** Undefined for what is no request, or one of a newer version. */
export function decodeCancelRequest(body: Buffer): CancelRequest | undefined {
  const fields = decode(body);
  if (!fields || !isText(fields['id'])) return undefined;
  const { id, queue, generation, by, atMs } = fields;
  // A bound that cannot be read is not the same as none: it would end more than was asked for.
  if (queue !== undefined && !isText(queue)) return undefined;
  if (generation !== undefined && !isCount(generation)) return undefined;
  return {
    id,
    queue,
    generation,
    by: typeof by === 'string' && by !== '' ? by.slice(0, MAX_TEXT) : undefined,
    atMs: isCount(atMs) ? atMs : 0,
  };
}

/** Whether a request means a job. */
export function isCancelled(
  request: CancelRequest,
  job: { readonly queue: string; readonly generation: number },
): boolean {
  return (
    (request.queue === undefined || request.queue === job.queue) &&
    (request.generation === undefined || job.generation <= request.generation)
  );
}

/** The body of a snapshot. */
export function encodeControlSnapshot(snapshot: ControlSnapshot): Buffer {
  return Buffer.from(JSON.stringify({ v: VERSION, ...snapshot }));
}

/**
 * Undefined for what is no snapshot, or one of a newer version. What a newer writer has added beside the fields known here is
 * kept, so that whoever writes the next snapshot does not undo it.
 */
export function decodeControlSnapshot(body: Buffer): ControlSnapshot | undefined {
  const fields = decode(body);
  const paused = fields?.['pausedQueues'];
  if (!fields || !Array.isArray(paused) || !paused.every(isText)) return undefined;
  const { v: _version, breakers, concurrency, limits, atMs, ...others } = fields;
  if (breakers !== undefined && !isOverrides(breakers)) return undefined;
  if (concurrency !== undefined && !isCountsByQueue(concurrency)) return undefined;
  if (limits !== undefined && !isRatesByName(limits)) return undefined;
  return {
    ...others,
    pausedQueues: paused,
    ...(breakers !== undefined && { breakers }),
    ...(concurrency !== undefined && { concurrency }),
    ...(limits !== undefined && { limits }),
    atMs: isCount(atMs) ? atMs : 0,
  };
}

function decode(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const fields = value as Record<string, unknown>;
    return fields['v'] === VERSION ? fields : undefined;
  } catch {
    return undefined;
  }
}

function isOverrides(value: unknown): value is Record<string, 'open' | 'closed'> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((state) => state === 'open' || state === 'closed');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
