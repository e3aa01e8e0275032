import { errorTypeOf } from '../error-type.ts';
import type { Metrics } from '../metrics.ts';
import { destinationOf } from '../tracing/messaging-attributes.ts';
import { type Address, DestinationCache } from './destination-cache.ts';
import { activeInstruments } from './instruments.ts';

/** How a run ended. */
export interface ProcessedRun {
  readonly durationMs: number;
  /** Whether its attempt counts as failed; `error` says why. */
  readonly hasFailed: boolean;
  readonly error?: unknown;
}

/** OpenTelemetry's metrics of the deliveries of one queue. */
export class QueueMeter {
  readonly #destinations: DestinationCache;

  constructor(destinations: DestinationCache) {
    this.#destinations = destinations;
  }

  delivered(from: Address): void {
    this.#destinations.at(from).consumed();
  }

  ran(from: Address, { durationMs, hasFailed, error }: ProcessedRun): void {
    const type = hasFailed ? errorTypeOf(error) : undefined;
    this.#destinations.at(from).processed(durationMs / 1_000, type);
  }

  /** A delivery was settled by a move, or was lost meanwhile. */
  moved(from: Address, name: string, elapsedMs: number, isLost: boolean): void {
    const type = isLost ? 'DELIVERY_LOST' : undefined;
    this.#destinations.at(from).settled(name, elapsedMs / 1_000, type);
  }
}

/** A queue, and what is declared of the ways into it. */
export interface MeteredQueue {
  readonly queue: string;
  isDeclaredExchange(exchange: string): boolean;
  isDeclaredKey(routingKey: string): boolean;
}

/**
 * Undefined while nobody collects OpenTelemetry's metrics in this process; to be kept, not to be asked for each job. Anybody can
 * publish with any routing key: of exchange and key only what is declared is named.
 */
export function queueMeter(
  metrics: Metrics,
  { queue, isDeclaredExchange, isDeclaredKey }: MeteredQueue,
): QueueMeter | undefined {
  const instruments = activeInstruments(metrics);
  if (!instruments) return undefined;
  const name = ({ exchange, routingKey }: Address) =>
    destinationOf({
      exchange: isDeclaredExchange(exchange) ? exchange : '',
      routingKey: isDeclaredKey(routingKey) ? routingKey : '',
      queue,
    });
  return new QueueMeter(new DestinationCache(instruments, name));
}
