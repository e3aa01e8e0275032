import { ShuttingDownError } from '@warren/contracts';
import type { JobRequest } from './accept-job.ts';
import { BulkFlight } from './bulk-flight.ts';
import type { AcceptBulk, BulkRun } from './bulk-run.ts';

/** One of many jobs: its request and size, or what is wrong with it. */
export type BulkEntry =
  | { readonly request: JobRequest; readonly bytes: number }
  | { readonly error: Error };

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
