import type { DestinationSeries } from './destination-series.ts';
import type { MessagingInstruments } from './instruments.ts';

/** Where a message goes to, or was sent to. */
export interface Address {
  readonly exchange: string;
  readonly routingKey: string;
}

/** Finds what is measured of an address. Keeps the last one: nearly every message has the address of the one before it. */
export class DestinationCache {
  readonly #instruments: MessagingInstruments;
  readonly #destinationOf: (address: Address) => string;
  #exchange = '';
  #routingKey = '';
  #last: DestinationSeries | undefined;

  constructor(instruments: MessagingInstruments, destinationOf: (address: Address) => string) {
    this.#instruments = instruments;
    this.#destinationOf = destinationOf;
  }

  at(address: Address): DestinationSeries {
    const { exchange, routingKey } = address;
    if (this.#last && exchange === this.#exchange && routingKey === this.#routingKey) {
      return this.#last;
    }
    this.#exchange = exchange;
    this.#routingKey = routingKey;
    this.#last = this.#instruments.at(this.#destinationOf(address));
    return this.#last;
  }
}
