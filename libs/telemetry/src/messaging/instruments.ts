import {
  type Attributes,
  createNoopMeter,
  type Histogram,
  type Meter,
  metrics as openTelemetry,
} from '@opentelemetry/api';
import type { Metrics } from '../metrics.ts';
import { SeriesStore } from '../series-store.ts';
import { DURATION_BUCKETS, INSTRUMENTS } from './conventions.ts';
import { type Count, DestinationSeries, type Instruments } from './destination-series.ts';

const NAME = 'warren';

/** What OpenTelemetry's metrics of one process are made with, for all clients and workers in it. */
export class MessagingInstruments implements Instruments {
  readonly operationSeconds: Histogram;
  readonly processSeconds: Histogram;
  /** Bounded, whatever messages say of where they go or come from. */
  readonly #destinations: SeriesStore<DestinationSeries>;
  readonly #sent: Count[] = [];
  readonly #consumed: Count[] = [];

  constructor(meter: Meter, onOverflow: () => void) {
    this.operationSeconds = createDuration(meter, INSTRUMENTS.operationSeconds);
    this.processSeconds = createDuration(meter, INSTRUMENTS.processSeconds);
    createCounter(meter, INSTRUMENTS.sent, this.#sent);
    createCounter(meter, INSTRUMENTS.consumed, this.#consumed);
    this.#destinations = new SeriesStore(
      'messaging',
      ['destination'],
      ({ destination = '' }) => new DestinationSeries(this, destination),
      onOverflow,
    );
  }

  /** Of messages to or from there; of all others together once there are too many. */
  at(destination: string): DestinationSeries {
    return this.#destinations.at({ destination });
  }

  countSent(attributes: Attributes): Count {
    return counted(this.#sent, attributes);
  }

  countConsumed(attributes: Attributes): Count {
    return counted(this.#consumed, attributes);
  }
}

const byProvider = new WeakMap<object, MessagingInstruments>();

/**
 * Made with the global meter of whoever collects OpenTelemetry's metrics in this process; undefined where nobody does. To be
 * asked when a client or worker is made, not for each job. `metrics` counts what had to be folded.
 */
export function activeInstruments(metrics: Metrics): MessagingInstruments | undefined {
  const provider = openTelemetry.getMeterProvider();
  const meter = provider.getMeter(NAME);
  if (meter === createNoopMeter()) return undefined;
  let instruments = byProvider.get(provider);
  if (!instruments) {
    const onOverflow = () => metrics.jobs_metrics_overflow_total.inc({ metric: 'messaging' });
    instruments = new MessagingInstruments(meter, onOverflow);
    byProvider.set(provider, instruments);
  }
  return instruments;
}

interface InstrumentNames {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
}

function createDuration(meter: Meter, { name, ...options }: InstrumentNames): Histogram {
  const advice = { explicitBucketBoundaries: DURATION_BUCKETS };
  return meter.createHistogram(name, { ...options, advice });
}

function createCounter(
  meter: Meter,
  { name, ...options }: InstrumentNames,
  counts: readonly Count[],
): void {
  meter.createObservableCounter(name, options).addCallback((result) => {
    for (const { value, attributes } of counts) result.observe(value, attributes);
  });
}

function counted(counts: Count[], attributes: Attributes): Count {
  const count = { attributes, value: 0 };
  counts.push(count);
  return count;
}
