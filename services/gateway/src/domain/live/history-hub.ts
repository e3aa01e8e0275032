import { WarrenError } from '@warren/contracts';
import type { HistoryBatch, HistoryEvent } from '@warren/history';
import { CatchUp } from './catch-up.ts';
import type { HistorySource, OpenReader } from './history-readers.ts';

/** Who follows the history. None of these may throw. */
export interface Follower {
  /** Of each batch those that fit, with the offset to go on after. */
  onEvents(events: readonly HistoryEvent[], offset: number): void;
  /** Events between these offsets are gone, or too old to be told. */
  onGap?(from: number, to: number): void;
  fits(event: HistoryEvent): boolean;
}

/** As many follow the history as may. */
export class FollowersFullError extends WarrenError {
  constructor(max: number) {
    super('FOLLOWERS_FULL', `${max} clients follow what happens to jobs already; none more may`);
  }
}

/** Somebody who comes back soon finds the reader where it was. */
const LINGER_MS = 30_000;
const READING_EVERY_MS = 20;

/**
 * One reader of the history for all who follow it in this process, open while there is anybody. Who asks for what was before
 * gets a reader of its own until it has caught up.
 */
export class HistoryHub {
  readonly #source: HistorySource;
  readonly #maxSeats: number;
  #seats = 0;
  readonly #followers = new Set<(batch: HistoryBatch) => void>();
  readonly #catchingUp = new Set<OpenReader>();
  #reader: OpenReader | undefined;
  #offset: number | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param maxSeats clients that may follow at once */
  constructor(source: HistorySource, maxSeats: number) {
    this.#source = source;
    this.#maxSeats = maxSeats;
  }

  /**
   * A place for one more client, to be taken before it is promised anything.
   * @returns a function that gives it back
   * @throws FollowersFullError
   */
  seat(): () => void {
    if (this.#seats >= this.#maxSeats) throw new FollowersFullError(this.#maxSeats);
    this.#seats += 1;
    let isTaken = true;
    return () => {
      if (isTaken) this.#seats -= 1;
      isTaken = false;
    };
  }

  /** Resolves when events that happen from now on are read; false when that takes longer than this. */
  async reading(timeoutMs: number): Promise<boolean> {
    const endsAt = performance.now() + timeoutMs;
    while (this.#reader?.problem !== undefined && performance.now() < endsAt) {
      await new Promise((resolve) => setTimeout(resolve, READING_EVERY_MS));
    }
    return this.#reader !== undefined && this.#reader.problem === undefined;
  }

  /**
   * Follows the history from now on, or from the message after an offset, at most `MAX_BACK_MS` back. Where the two meet, some events may come twice.
   * @returns a function that ends it
   */
  follow(follower: Follower, after?: number): () => void {
    if (this.#isClosed) return () => {};
    clearTimeout(this.#idle);
    this.#reader ??= this.#source.open('next', (batch) => this.#onBatch(batch));
    const deliver = deliverTo(follower);
    const take = after === undefined ? undefined : this.#catchUp(follower, deliver, after);
    const live = take?.live ?? deliver;
    this.#followers.add(live);
    return () => {
      take?.end();
      if (this.#followers.delete(live) && this.#followers.size === 0) this.#closeLater();
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.#followers.clear();
    const readers = [this.#reader, ...this.#catchingUp];
    this.#catchingUp.clear();
    this.#reader = undefined;
    await Promise.all(readers.map(async (reader) => reader?.close()));
  }

  #onBatch(batch: HistoryBatch): void {
    this.#offset = batch.offset;
    for (const live of this.#followers) live(batch);
  }

  #catchUp(follower: Follower, deliver: (batch: HistoryBatch) => void, after: number): CatchUp {
    return new CatchUp({
      after,
      deliver,
      source: this.#source,
      open: this.#catchingUp,
      reached: () => this.#offset,
      onGap: follower.onGap?.bind(follower),
    });
  }

  #closeLater(): void {
    this.#idle = setTimeout(() => {
      const reader = this.#reader;
      this.#reader = undefined;
      this.#offset = undefined;
      void reader?.close();
    }, LINGER_MS).unref();
  }
}

function deliverTo(follower: Follower) {
  return ({ events, offset }: HistoryBatch) => {
    const fitting = events.filter((event) => follower.fits(event));
    if (fitting.length > 0) follower.onEvents(fitting, offset);
  };
}
