import { WarrenError } from '@warren/contracts';
import type { PublishOutcome } from '../label-values.ts';
import type { Metrics } from '../metrics.ts';
import { destinationOf } from '../tracing/messaging-attributes.ts';
import { type Address, DestinationCache } from './destination-cache.ts';
import { activeInstruments } from './instruments.ts';

/** OpenTelemetry's metrics of what a client sends. */
export class SendMeter {
  readonly #destinations: DestinationCache;

  constructor(destinations: DestinationCache) {
    this.#destinations = destinations;
  }

  /** A publish has ended. One that never left is an operation, but no message that was sent. */
  ended(to: Address, outcome: PublishOutcome, elapsedMs: number, error?: unknown): void {
    const series = this.#destinations.at(to);
    const type = outcome === 'confirmed' ? undefined : codeOf(error);
    if (outcome !== 'error') series.sent(type);
    series.sending(elapsedMs / 1_000, type);
  }
}

/** Undefined while nobody collects OpenTelemetry's metrics in this process; to be kept, not to be asked for each job. */
export function sendMeter(metrics: Metrics): SendMeter | undefined {
  const instruments = activeInstruments(metrics);
  return instruments && new SendMeter(new DestinationCache(instruments, destinationOf));
}

/** One of the codes in `docs/errors.md`: a closed set. */
function codeOf(error: unknown): string {
  return error instanceof WarrenError ? error.code : '_OTHER';
}
