import type { Attributes, Histogram } from '@opentelemetry/api';
import { type SeriesFacts, seriesAttributes } from './conventions.ts';

/** Something that is counted. Read when metrics are exported: a counter of the API costs more than a microsecond at each call. */
export interface Count {
  readonly attributes: Attributes;
  value: number;
}

/** What series are made with. */
export interface Instruments {
  readonly operationSeconds: Histogram;
  readonly processSeconds: Histogram;
  countSent(attributes: Attributes): Count;
  countConsumed(attributes: Attributes): Count;
}

/** What is measured of messages to or from one destination. Of each series the attributes are made once. */
export class DestinationSeries {
  readonly #instruments: Instruments;
  readonly #destination: string;
  readonly #sent: (error: string | undefined) => Count;
  readonly #sending: (error: string | undefined) => Attributes;
  readonly #processing: (error: string | undefined) => Attributes;
  readonly #settling: (name: string) => (error: string | undefined) => Attributes;
  #consumed: Count | undefined;

  constructor(instruments: Instruments, destination: string) {
    const attributesOf = (facts: Omit<SeriesFacts, 'destination' | 'error'>) =>
      kept((error: string | undefined) => seriesAttributes({ ...facts, destination, error }));
    const ofSent = attributesOf({ operation: 'send' });
    this.#instruments = instruments;
    this.#destination = destination;
    this.#sent = kept((error) => instruments.countSent(ofSent(error)));
    this.#sending = attributesOf({ operation: 'send', type: 'send' });
    this.#processing = attributesOf({ operation: 'process' });
    this.#settling = kept((operation) => attributesOf({ operation, type: 'settle' }));
  }

  /** A message was handed to the broker; with the error where it did not keep it. */
  sent(error?: string): void {
    this.#sent(error).value += 1;
  }

  /** From the call of a publish to its end. */
  sending(seconds: number, error?: string): void {
    this.#instruments.operationSeconds.record(seconds, this.#sending(error));
  }

  consumed(): void {
    this.#consumed ??= this.#instruments.countConsumed(
      seriesAttributes({ operation: 'consume', destination: this.#destination }),
    );
    this.#consumed.value += 1;
  }

  processed(seconds: number, error?: string): void {
    this.#instruments.processSeconds.record(seconds, this.#processing(error));
  }

  /** A delivery was settled by a move; `name` says what for. */
  settled(name: string, seconds: number, error?: string): void {
    this.#instruments.operationSeconds.record(seconds, this.#settling(name)(error));
  }
}

/** Makes the value of each key once; keys are of a closed set. */
function kept<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined) {
      value = make(key);
      values.set(key, value);
    }
    return value;
  };
}
