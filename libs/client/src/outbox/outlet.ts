import type { OutgoingMessage } from '@warren/broker';
import type { Names } from '@warren/topology';
import { enteredNow } from '../late-entry.ts';
import { sendKept } from '../traced-message.ts';

/** One channel to publish finished messages on. */
export interface Outlet {
  /** Can it publish now? */
  readonly isOpen: boolean;
  /** Why a publish would be refused at once. */
  refusal(): Error | undefined;
  /** Resolves when the broker has confirmed the message; rejects as `jobs.publish` does. */
  publish(message: OutgoingMessage): Promise<unknown>;
  /** Refuses what is new, waits for what is under way, and resolves when the channel is closed. */
  end(): Promise<void>;
}

/** What has waited in an outbox goes in as is right for it now. */
export class PunctualOutlet implements Outlet {
  readonly #outlet: Outlet;
  readonly #names: Names;

  constructor(outlet: Outlet, names: Names) {
    this.#outlet = outlet;
    this.#names = names;
  }

  get isOpen(): boolean {
    return this.#outlet.isOpen;
  }

  refusal(): Error | undefined {
    return this.#outlet.refusal();
  }

  publish(message: OutgoingMessage): Promise<unknown> {
    return sendKept(enteredNow(this.#names, message, Date.now()), (sent) =>
      this.#outlet.publish(sent),
    );
  }

  end(): Promise<void> {
    return this.#outlet.end();
  }
}
