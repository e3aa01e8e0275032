import {
  MessagesLeftError,
  newJobId,
  QueueInUseError,
  QueueMissingError,
  WarrenError,
} from '@warren/contracts';
import type { Consumer, ConsumerOptions } from './consumer.ts';
import type { Delivery } from './delivery.ts';
import { exactCopy } from './exact-copy.ts';
import { copyMessage } from './move-message.ts';
import type { Publishable } from './outgoing-message.ts';
import type { Publisher } from './publisher.ts';
import type { QueueFigures } from './queue-figures.ts';
import { readMessage } from './received-message.ts';

/** What moving needs of a session. */
export interface MovingSession {
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly lost: AbortSignal;
  consume(options: ConsumerOptions): Consumer;
  giveBack(consumer: Consumer): Promise<void>;
  figures(queues: readonly string[]): Promise<ReadonlyMap<string, QueueFigures | undefined>>;
}

/** Where from and where to: queues by their full names. */
export interface MoveAllOptions {
  readonly from: string;
  readonly to: string;
  /** A fanout exchange that leads to `to`: what is moved are exact copies, through it. Otherwise copies as of any move. */
  readonly through: string | undefined;
  /** Aborting it ends the move after the messages in hand. */
  readonly signal?: AbortSignal | undefined;
  /** Leads elsewhere what would come to `from`; again and again, since a process that starts leads it back. */
  lead(): Promise<void>;
  /** Called with how many have been moved so far. */
  onMoved?(count: number): void;
}

/** Taken and not acknowledged at once, at most: as many duplicates a kill can make. */
const WINDOW = 200;
/** Bodies on their way at once, at most, unless one is larger by itself: the publisher refuses what would not fit its buffer. */
const WINDOW_BYTES = 32 * 1_024 * 1_024;
/** What cannot be copied is held until the end: with so many the rest would have no room. */
const MAX_LEFT = 100;
/** What was routed before has arrived by then, and what a consumer of a classic queue that was killed had in hand is back. */
const CALM_MS = 1_000;
/** Somebody else consumes an empty queue for so long: that is no look that ends. */
const IN_USE_MS = 5_000;
const LOOK_EVERY_MS = 200;

/** What is wrong with one message, and says nothing about the next. */
const OWN_FAULTS: ReadonlySet<string> = new Set(['HEADER_INVALID', 'PAYLOAD_TOO_LARGE']);

/**
 * Moves every message of a queue to another, each published, confirmed and only then acknowledged, until for a second nothing
 * came, nobody else consumed it, and it is empty. Attempts, generations and times are kept; a message without an id gets one, unless it is
 * copied exactly.
 * @returns how many were moved: 0 for a queue that nothing comes to any more
 * @throws QueueInUseError when somebody else goes on consuming it; MessagesLeftError when all others are moved, and some cannot be copied; what the broker refused a copy with, or the
 * session was lost with. Everything that was not moved is still there
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
  #openBytes = 0;
  readonly #waiting: Delivery[] = [];
  #left = 0;
  /** The first of those: which, and why. */
  #leftExample = '';
  /** Since when nothing has come, and nobody else was there. */
  #calmSinceMs = performance.now();
  /** Since when somebody else is. */
  #sharedSinceMs: number | undefined;
  #problem: unknown;

  constructor(session: MovingSession, options: MoveAllOptions) {
    this.#session = session;
    this.#options = options;
    this.#consumer = session.consume({
      queue: options.from,
      prefetch: WINDOW,
      onDelivery: (delivery) => {
        this.#calmSinceMs = performance.now();
        this.#waiting.push(delivery);
        this.#pump();
      },
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
    if (this.#left === 0 || this.#options.signal?.aborted) return this.#moved;
    throw new MessagesLeftError(this.#options.from, this.#left, this.#leftExample);
  }

  async #isOver(): Promise<boolean> {
    if (this.#session.lost.aborted) return true;
    if (this.#isEnding) return this.#open === 0;
    try {
      await this.#options.lead();
      return await this.#isLeftAlone();
    } catch (error) {
      this.#fail(error);
      return true;
    }
  }

  async #isLeftAlone(): Promise<boolean> {
    const { from } = this.#options;
    const figures = (await this.#session.figures([from])).get(from);
    if (!figures) throw new QueueMissingError(from);
    const isEmpty = figures.ready === 0 && this.#open + this.#waiting.length === 0;
    const others = Math.max(0, figures.consumers - 1);
    const now = performance.now();
    if (others === 0) {
      this.#sharedSinceMs = undefined;
      return isEmpty && now - this.#calmSinceMs >= CALM_MS;
    }
    this.#calmSinceMs = now;
    this.#sharedSinceMs ??= now;
    if (isEmpty && now - this.#sharedSinceMs > IN_USE_MS) throw new QueueInUseError(from, others);
    return false;
  }

  get #isEnding(): boolean {
    if (this.#problem !== undefined || this.#left >= MAX_LEFT) return true;
    return this.#options.signal?.aborted ?? false;
  }

  /** What is left out goes back with the consumer. */
  #pump(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const isRoom = this.#open === 0 || this.#openBytes + next.body.length <= WINDOW_BYTES;
      if (!this.#isEnding && !isRoom) return;
      this.#waiting.shift();
      if (this.#isEnding) next.leave();
      else void this.#take(next);
    }
  }

  async #take(delivery: Delivery): Promise<void> {
    this.#open += 1;
    this.#openBytes += delivery.body.length;
    try {
      await this.#move(delivery);
    } catch (error) {
      delivery.leave();
      if (error instanceof WarrenError && OWN_FAULTS.has(error.code)) this.#leave(delivery, error);
      else this.#fail(error);
    } finally {
      this.#open -= 1;
      this.#openBytes -= delivery.body.length;
      this.#pump();
    }
  }

  async #move(delivery: Delivery): Promise<void> {
    await this.#session.publisher.publish(this.#copyOf(delivery));
    if (!delivery.ack()) throw new Error(`the channel of ${this.#options.from} was lost`);
    this.#moved += 1;
    this.#options.onMoved?.(this.#moved);
  }

  #copyOf(delivery: Delivery): Publishable {
    const { through, to } = this.#options;
    if (through !== undefined) return exactCopy(delivery.message, through);
    const received = readMessage(delivery);
    const identified = { ...received, id: received.id ?? newJobId() };
    return copyMessage(delivery, identified, { exchange: '', routingKey: to, headers: {} });
  }

  #leave(delivery: Delivery, { message }: Error): void {
    this.#left += 1;
    const id = readMessage(delivery).id ?? 'one without an id';
    if (this.#left === 1) this.#leftExample = `${id} (${message})`;
  }

  #fail(problem: unknown): void {
    this.#problem ??= problem;
  }
}
