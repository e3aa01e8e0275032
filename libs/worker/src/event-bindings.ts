import type { Broker } from '@warren/broker';

/**
 * A job that finds no queue is returned to its publisher, who has the binding made again. An event is not: it may have no
 * reader, and who emits does not know the readers. So the readers see to their bindings themselves.
 */
const BIND_AGAIN_MS = 5_000;

/**
 * Binds the subscribers of a process to events again, every so often, in case somebody has deleted a binding or the
 * exchange: without it they would hear nothing any more, and nobody would be told.
 */
export class EventBindings {
  readonly #broker: Broker;
  #timer: NodeJS.Timeout | undefined;
  #isBinding = false;

  constructor(broker: Broker) {
    this.#broker = broker;
  }

  start(): void {
    if (!this.#hasAny()) return;
    this.#timer ??= setInterval(() => void this.#bind(), BIND_AGAIN_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #hasAny(): boolean {
    const { bindings, names } = this.#broker.topology;
    return bindings.some(({ exchange }) => exchange === names.events);
  }

  async #bind(): Promise<void> {
    if (this.#isBinding) return;
    this.#isBinding = true;
    const { steps, names } = this.#broker.topology;
    const ofEvents = steps.filter((step) =>
      step.kind === 'binding' ? step.exchange === names.events : step.name === names.events,
    );
    // What is wrong with the queue its consumer finds out, and with the exchange who declares all.
    await this.#broker.declareAgain(ofEvents).catch(() => {});
    this.#isBinding = false;
  }
}
