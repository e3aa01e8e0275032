import { ShuttingDownError, type WarrenError } from '@warren/contracts';
import type { AcceptJob, JobRequest } from './accept-job.ts';
import { BulkFlight } from './bulk-flight.ts';

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

/** Takes many jobs over. */
export interface AcceptBulk {
  readonly accept: AcceptJob;
  /** Jobs of one request under way at once. */
  readonly window: number;
  /** Why no job could be taken now, if that is known beforehand. */
  refusal(): WarrenError | undefined;
}

/** How one bulk request is served. */
export interface BulkRun {
  /** Returns a promise where its receiver is behind: nothing further is started meanwhile. */
  readonly report: (outcome: BulkOutcome) => void | Promise<void>;
  /** Whether the request as a whole can still be refused. */
  readonly canRefuse: () => boolean;
  /** Once aborted, what has not been published is answered with ShuttingDownError. */
  readonly stopping: AbortSignal;
}

/**
 * Takes over the entries, which come in batches, and reports each under its index as soon as it is known what became of it.
 * The first that the broker is asked about goes alone: when it turns out that the broker is away, nothing was published and
 * nothing is under way.
 * @throws BrokerUnavailableError, BrokerBlockedError or ShuttingDownError when nothing was published and the request can
 * still be refused; whatever the source of the entries throws, after what was in flight has been reported
 */
export function acceptMany(
  batches: AsyncIterable<Iterable<BulkEntry>>,
  accept: AcceptBulk,
  run: BulkRun,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // A request that is refused is answered at once, whatever its source still waits for.
    const flight = new BulkFlight(accept, run, reject);
    takeAll(batches, flight, run).then(resolve, reject);
  });
}

async function takeAll(
  batches: AsyncIterable<Iterable<BulkEntry>>,
  flight: BulkFlight,
  { stopping }: BulkRun,
): Promise<void> {
  let index = 0;
  try {
    for await (const batch of batches) {
      for (const entry of batch) {
        const bytes = 'request' in entry ? entry.bytes : 0;
        if (!flight.isClear(bytes)) await flight.clear(bytes);
        if (flight.isBroken) return;
        if ('error' in entry) flight.report({ index, error: entry.error });
        else if (stopping.aborted)
          flight.report({ index, error: new ShuttingDownError('publish') });
        else flight.start(index, entry.request, bytes);
        index += 1;
      }
    }
  } finally {
    await flight.landed();
  }
}
