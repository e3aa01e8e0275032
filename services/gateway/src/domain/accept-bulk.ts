import type { BulkItem, BulkResult } from '@warren/client';
import { type ErrorCode, ShuttingDownError, WarrenError } from '@warren/contracts';
import type { JobRequest } from './accept-job.ts';

/** One of many jobs: its request and size, or what is wrong with it. */
export type BulkEntry =
  | { readonly request: JobRequest; readonly bytes: number }
  | { readonly error: Error };

/** What became of one of many jobs. */
export interface BulkOutcome {
  readonly index: number;
  /** Absent where there never was one. */
  readonly id?: string;
  /** Absent where the job was taken. */
  readonly error?: Error;
  /** As of one job. */
  readonly duplicate?: true;
  readonly replaced?: true;
}

/** Takes many jobs over, and says of each what became of it, as soon as it is known. */
export interface AcceptBulk {
  /** Why no job could be taken now, if that is known beforehand. */
  refusal(): WarrenError | undefined;
  publishMany(items: AsyncIterable<BulkItem>): AsyncIterable<BulkResult>;
}

/** How one bulk request is served. */
export interface BulkRun {
  /** Awaited before anything further is published: a slow receiver slows everything down. */
  readonly report: (outcome: BulkOutcome) => void | Promise<void>;
  /** Whether the request as a whole can still be refused. */
  readonly canRefuse: () => boolean;
  /** Once aborted, what has not been published is answered with ShuttingDownError. */
  readonly stopping: AbortSignal;
}

/** Memory of one request for what is published and not yet answered. */
const MAX_BYTES_IN_FLIGHT = 16 * 1024 * 1024;

const BROKER_AWAY: readonly ErrorCode[] = [
  'BROKER_UNAVAILABLE',
  'BROKER_BLOCKED',
  'OUTBOX_FULL',
  'SHUTTING_DOWN',
];

/** They say something about the item, and nothing about the broker. */
const ITEMS_OWN: readonly ErrorCode[] = [
  'PAYLOAD_INVALID',
  'PAYLOAD_TOO_LARGE',
  'HEADER_INVALID',
  'UNKNOWN_JOB_TYPE',
  'CONFIG_INVALID',
  'OPTION_NEEDS_STORE',
];

/**
 * Publishes the entries, which come in batches, and reports each under its index. The first that the broker is asked about
 * goes alone: when it turns out that the broker is away, nothing was published and nothing is under way.
 * @throws BrokerUnavailableError, BrokerBlockedError or ShuttingDownError when nothing was published and the request can
 * still be refused; whatever the source of the entries throws, after what was in flight has been reported
 */
export async function acceptMany(
  batches: AsyncIterable<Iterable<BulkEntry>>,
  accept: AcceptBulk,
  run: BulkRun,
): Promise<void> {
  const flight = new Flight();
  try {
    for await (const result of accept.publishMany(publishable(batches, flight, run))) {
      const { index, id } = flight.land(result.index);
      const error = 'error' in result ? result.error : undefined;
      if (error && !flight.isProven && run.canRefuse() && hasCode(error, BROKER_AWAY)) throw error;
      // The job may be that of an earlier request.
      await run.report(error ? { index, id, error } : { ...result, index });
      flight.onReported(!(error && hasCode(error, ITEMS_OWN)));
    }
  } finally {
    flight.end();
  }
}

async function* publishable(
  batches: AsyncIterable<Iterable<BulkEntry>>,
  flight: Flight,
  { report, stopping }: BulkRun,
): AsyncGenerator<BulkItem, void, undefined> {
  let index = 0;
  for await (const batch of batches) {
    for (const entry of batch) {
      const error = errorOf(entry, stopping);
      if (error) await report({ index, error });
      else if ('request' in entry) {
        if (!flight.isClear(entry.bytes)) await flight.clear(entry.bytes);
        if (flight.isEnded) return;
        yield flight.start(index, entry.request, entry.bytes);
      }
      index += 1;
    }
  }
}

function errorOf(entry: BulkEntry, stopping: AbortSignal): Error | undefined {
  if ('error' in entry) return entry.error;
  return stopping.aborted ? new ShuttingDownError('publish') : undefined;
}

function hasCode(error: Error, codes: readonly ErrorCode[]): boolean {
  return error instanceof WarrenError && codes.includes(error.code);
}

interface Started {
  readonly index: number;
  readonly id: string;
  readonly bytes: number;
}

/** What is published and not yet answered. */
class Flight {
  readonly #open = new Map<number, Started>();
  #count = 0;
  #bytes = 0;
  #isProven = false;
  #isEnded = false;
  #wake: (() => void) | undefined;

  /** Has the broker said anything at all? */
  get isProven(): boolean {
    return this.#isProven;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** May one more be published? One that exceeds the bound alone may, alone. */
  isClear(bytes: number): boolean {
    if (this.#isEnded || this.#open.size === 0) return true;
    return this.#isProven && this.#bytes + bytes <= MAX_BYTES_IN_FLIGHT;
  }

  /** Resolves when one more may be published, or when the end has come. */
  async clear(bytes: number): Promise<void> {
    while (!this.isClear(bytes)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  start(index: number, { type, payload, ...options }: JobRequest, bytes: number): BulkItem {
    this.#bytes += bytes;
    this.#open.set(this.#count, { index, id: options.id, bytes });
    this.#count += 1;
    return { type, payload, options };
  }

  /** @param number how many were started before it */
  land(number: number): Started {
    const started = this.#open.get(number) as Started;
    this.#open.delete(number);
    this.#bytes -= started.bytes;
    return started;
  }

  onReported(isProof: boolean): void {
    this.#isProven ||= isProof;
    this.#wake?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }
}
