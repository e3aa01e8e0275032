import { newJobId } from '@warren/contracts';
import type { Consumer, ConsumerOptions } from './consumer.ts';
import type { Delivery } from './delivery.ts';
import { copyMessage } from './move-message.ts';
import type { Publisher } from './publisher.ts';
import { readMessage } from './received-message.ts';

/** What moving needs of a session. */
export interface MovingSession {
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly lost: AbortSignal;
  consume(options: ConsumerOptions): Consumer;
  giveBack(consumer: Consumer): Promise<void>;
  depth(queue: string): Promise<number>;
}

/** Where from and where to: queues by their full names. */
export interface MoveAllOptions {
  readonly from: string;
  readonly to: string;
  /** Aborting it ends the move after the messages in hand. */
  readonly signal?: AbortSignal | undefined;
  /** Leads elsewhere what would come to `from`; again and again, since a process that starts leads it back. */
  lead(): Promise<void>;
  /** Called with how many have been moved so far. */
  onMoved?(count: number): void;
}

/** Taken and not acknowledged at once, at most: as many duplicates a kill can make. */
const WINDOW = 200;
/** What was routed before has arrived by then. */
const AT_LEAST_MS = 1_000;
const LOOK_EVERY_MS = 200;

/**
 * Moves every message of a queue to another, each published, confirmed and only then acknowledged, for a second at least and
 * until the queue is seen empty. Attempts, generations and times are kept; a message without an id gets one.
 * @returns how many were moved: 0 for a queue that nothing comes to any more
 * @throws what the broker refused a copy with, or the session was lost with; everything that was not moved is still there
 */
export function moveAll(session: MovingSession, options: MoveAllOptions): Promise<number> {
  return new MoveAll(session, options).done();
}

class MoveAll {
  readonly #session: MovingSession;
  readonly #options: MoveAllOptions;
  readonly #consumer: Consumer;
  #moved = 0;
  #open = 0;
  readonly #startedAtMs = performance.now();
  #problem: unknown;

  constructor(session: MovingSession, options: MoveAllOptions) {
    this.#session = session;
    this.#options = options;
    this.#consumer = session.consume({
      queue: options.from,
      prefetch: WINDOW,
      onDelivery: (delivery) => void this.#take(delivery),
      onLost: (reason) => this.#fail(new Error(reason)),
      onProblem: (problem) => this.#fail(new Error(problem)),
    });
  }

  async done(): Promise<number> {
    this.#consumer.start();
    while (!(await this.#isOver())) await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS));
    await this.#session.giveBack(this.#consumer);
    const { lost } = this.#session;
    const problem: unknown = lost.aborted ? lost.reason : this.#problem;
    if (problem instanceof Error) throw problem;
    if (problem !== undefined) throw new Error(String(problem));
    return this.#moved;
  }

  async #isOver(): Promise<boolean> {
    if (this.#session.lost.aborted) return true;
    if (this.#problem !== undefined || this.#options.signal?.aborted) return this.#open === 0;
    try {
      await this.#options.lead();
      if (performance.now() - this.#startedAtMs < AT_LEAST_MS) return false;
      return (await this.#session.depth(this.#options.from)) === 0 && this.#open === 0;
    } catch (error) {
      this.#fail(error);
      return true;
    }
  }

  async #take(delivery: Delivery): Promise<void> {
    if (this.#problem !== undefined || this.#options.signal?.aborted) {
      delivery.leave();
      return;
    }
    this.#open += 1;
    try {
      await this.#move(delivery);
    } catch (error) {
      delivery.leave();
      this.#fail(error);
    } finally {
      this.#open -= 1;
    }
  }

  async #move(delivery: Delivery): Promise<void> {
    const received = readMessage(delivery);
    const identified = { ...received, id: received.id ?? newJobId() };
    const target = { exchange: '', routingKey: this.#options.to, headers: {} };
    await this.#session.publisher.publish(copyMessage(delivery, identified, target));
    if (!delivery.ack()) throw new Error(`the channel of ${this.#options.from} was lost`);
    this.#moved += 1;
    this.#options.onMoved?.(this.#moved);
  }

  #fail(problem: unknown): void {
    this.#problem ??= problem;
  }
}
