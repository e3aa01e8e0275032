import { setMaxListeners } from 'node:events';
import {
  type Broker,
  copyMessage,
  type Move,
  type OutgoingMessage,
  type ReceivedMessage,
} from '@warren/broker';
import { HeaderInvalidError, PayloadTooLargeError } from '@warren/contracts';
import type { Held } from './held.ts';
import { pauseWhileHeld } from './pause-while-held.ts';

/** What a mover reports to the queue that it works for. */
export interface MoverEvents {
  /** A move failed and is going to be repeated. */
  onFailing(problem: string): void;
  onRecovered(): void;
}

/** What is done in the course of a move. */
export interface MoveSteps {
  /** Set where the job ends with it. The copy is confirmed: returns what the ack is to be held for, if anything. */
  tellEnd?: (() => Promise<void> | undefined) | undefined;
  /** No copy can be made, and the broker has moved it. */
  onReject?(): void;
}

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 5_000;

/**
 * Moves messages: publish a copy elsewhere, confirmed, and only then ack. A move that fails is repeated with growing
 * pauses for as long as the delivery is held; the handler is never run again for it. A crash between publish and ack makes
 * a duplicate, never a loss.
 */
export class Mover {
  readonly #broker: Broker;
  readonly #events: MoverEvents;
  readonly #gaveUp = new AbortController();
  #failing = 0;

  constructor(broker: Broker, events: MoverEvents) {
    this.#broker = broker;
    this.#events = events;
    // One listener for each move that pauses, and all of them may: no leak, as Node.js would warn from the 11th on.
    setMaxListeners(0, this.#gaveUp.signal);
  }

  /** @returns whether the delivery is settled; otherwise it was lost or given up, and the broker delivers it again */
  async move(
    held: Held,
    received: ReceivedMessage & { readonly id: string },
    move: Move,
    steps: MoveSteps = {},
  ): Promise<boolean> {
    try {
      await this.#publish(held, copyMessage(held, received, move));
    } catch (error) {
      if (!isHopeless(error)) return false;
      if (error instanceof HeaderInvalidError && move.foreignHeaders !== 'none') {
        return this.move(held, received, { ...move, foreignHeaders: 'none' }, steps);
      }
      // No client can publish it again: the broker moves it to the dead letters as it is.
      const isRejected = held.reject();
      if (isRejected) steps.onReject?.();
      return isRejected;
    }
    const { tellEnd } = steps;
    return held.ack(held.isLost ? undefined : tellEnd?.(), tellEnd ? undefined : 'moved');
  }

  /** Repeats no more: what is not moved yet goes back to the broker. */
  giveUp(): void {
    this.#gaveUp.abort();
  }

  /** @throws HeaderInvalidError, PayloadTooLargeError, or any error once the delivery is lost or given up */
  async #publish(held: Held, message: OutgoingMessage): Promise<void> {
    let isFailing = false;
    try {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2)) {
        try {
          await this.#broker.publisher.publish(message);
          return;
        } catch (error) {
          if (isHopeless(error) || this.#isOver(held)) throw error;
          this.#events.onFailing((error as Error).message);
          if (!isFailing) this.#failing += 1;
          isFailing = true;
          await pauseWhileHeld(held, this.#gaveUp.signal, pauseMs);
          if (this.#isOver(held)) throw error;
        }
      }
    } finally {
      if (isFailing) this.#failing -= 1;
      if (isFailing && this.#failing === 0) this.#events.onRecovered();
    }
  }

  #isOver(held: Held): boolean {
    return held.isLost || this.#gaveUp.signal.aborted;
  }
}

/** Will it fail again, however often it is repeated? The limit on sizes is lower on RabbitMQ 4 than on 3. */
function isHopeless(error: unknown): boolean {
  return error instanceof HeaderInvalidError || error instanceof PayloadTooLargeError;
}
