import { type Broker, NewestReader } from '@warren/broker';
import {
  BrokerUnavailableError,
  type ControlSnapshot,
  decodeControlSnapshot,
  encodeControlSnapshot,
  LockHeldError,
  newJobId,
} from '@warren/contracts';
import type { ControlEdit } from './control-edits.ts';
import { News } from './news.ts';

/** What is needed to know what is switched by hand, and to switch it. */
export interface ControlStateOptions {
  readonly broker: Pick<Broker, 'readStream' | 'publisher' | 'figures'>;
  /** `names.control`. */
  readonly stream: string;
  /** One lock for all who write, such as the store's; undefined while another holds it. */
  tryLock(name: string): Promise<ControlLock | undefined>;
  /** A message of the stream makes no sense: what was set before it counts. Told once of each. */
  onNonsense?(offset: number): void;
}

/** Held until it is released, or lost: then another may have it. */
export interface ControlLock {
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

const NOTHING: ControlSnapshot = { pausedQueues: [], atMs: 0 };
const LOCK = 'control';
const LOCK_WITHIN_MS = 5_000;
const LOCK_EVERY_MS = 50;

/**
 * All that is switched by hand: the last message of the control stream that makes sense. Changed under a lock, each change
 * from the newest state, so that two at once are both kept.
 */
export class ControlState {
  readonly #options: ControlStateOptions;
  #reader: NewestReader<ControlSnapshot> | undefined;
  #known: Promise<void> | undefined;
  #snapshot: ControlSnapshot = NOTHING;
  #nonsenseAt = -1;

  constructor(options: ControlStateOptions) {
    this.#options = options;
  }

  /** What is switched now. The first call waits for the stream. @throws BrokerUnavailableError */
  async current(): Promise<ControlSnapshot> {
    this.#known ??= this.#begin().catch((error: unknown) => {
      this.#known = undefined;
      throw error;
    });
    await this.#known;
    return this.#snapshot;
  }

  /**
   * Switches something; resolves when every worker will hear of it. `before` is called first, unless it is so already: what
   * it rejects with is thrown, and nothing is switched.
   * @throws LockHeldError, BrokerUnavailableError where the newest state is not read in time; as the lock, also when it is
   * lost meanwhile; or as a publish
   */
  async change(edit: ControlEdit, before?: () => Promise<void>): Promise<void> {
    const lock = await this.#lock();
    try {
      // With what else is switched by hand.
      const edited = edit(await this.#newest());
      if (!edited) return;
      const snapshot = { ...edited, atMs: Date.now() };
      await before?.();
      // Another may have switched something since: this state would undo it.
      lock.lost.throwIfAborted();
      await this.#publish(snapshot);
      this.#snapshot = snapshot;
    } finally {
      await lock.release();
    }
  }

  async close(): Promise<void> {
    await this.#reader?.close();
  }

  async #begin(): Promise<void> {
    const news = new News();
    const reader = this.#read(news, (snapshot) => {
      this.#snapshot = snapshot;
    });
    try {
      await this.#until(news, reader);
    } catch (error) {
      void reader.close();
      throw error;
    }
    this.#reader = reader;
  }

  /** Read anew: a reader that is open may be a moment behind. */
  async #newest(): Promise<ControlSnapshot> {
    const news = new News();
    let newest = NOTHING;
    const reader = this.#read(news, (snapshot) => {
      newest = snapshot;
    });
    try {
      await this.#until(news, reader);
    } finally {
      await reader.close();
    }
    return newest;
  }

  /** What is written there counts as a whole: to take a slow stream for an empty one would undo all the others. */
  async #until(news: News, reader: { readonly problem: string | undefined }): Promise<void> {
    const { broker, stream } = this.#options;
    const figures = await broker.figures([stream]);
    const isEmpty = this.#snapshot.atMs === 0 && (figures.get(stream)?.ready ?? 0) === 0;
    const isRead = await news.settled({ isEmpty, isReading: () => reader.problem === undefined });
    if (!isRead) throw new BrokerUnavailableError(`${stream} could not be read in time`);
  }

  #read(
    news: News,
    onSnapshot: (snapshot: ControlSnapshot) => void,
  ): NewestReader<ControlSnapshot> {
    const { broker, stream } = this.#options;
    const reader = new NewestReader({
      broker,
      stream,
      decode: decodeControlSnapshot,
      onValue(snapshot) {
        onSnapshot(snapshot);
        news.tell();
      },
      onNothing: () => news.tell(),
      onNonsense: (offset) => this.#onNonsense(offset),
    });
    reader.start();
    return reader;
  }

  #onNonsense(offset: number): void {
    if (offset <= this.#nonsenseAt) return;
    this.#nonsenseAt = offset;
    this.#options.onNonsense?.(offset);
  }

  async #publish(snapshot: ControlSnapshot): Promise<void> {
    await this.#options.broker.publisher.publish({
      exchange: '',
      routingKey: this.#options.stream,
      body: encodeControlSnapshot(snapshot),
      properties: {
        messageId: newJobId(),
        contentType: 'application/json',
        persistent: true,
        mandatory: true,
      },
    });
  }

  async #lock(): Promise<ControlLock> {
    const endsAt = performance.now() + LOCK_WITHIN_MS;
    do {
      const lock = await this.#options.tryLock(LOCK);
      if (lock) return lock;
      await new Promise((resolve) => setTimeout(resolve, LOCK_EVERY_MS));
    } while (performance.now() < endsAt);
    throw new LockHeldError(LOCK, 'whoever switches something at this moment');
  }
}
