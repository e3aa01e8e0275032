import type { Drops, HistoryEvent } from '@warren/history';
import type { Projection } from '@warren/store';

/** Heartbeats alone are not worth a transaction each; but what is kept must not fall out of the stream's own memory. */
const IDLE_MS = 60_000;

/** What was read of the stream. */
export interface Step {
  readonly events: readonly HistoryEvent[];
  readonly drops: readonly Drops[];
  /** Of its last message. */
  readonly offset: number;
  /** Is it the newest there is? Then the offset may wait, where nothing else is to be written. */
  readonly isCurrent: boolean;
}

/** How far a stream was read into the store. */
export class Progress {
  readonly #projection: Pick<Projection, 'apply' | 'offset'>;
  readonly #stream: string;
  /** Null before the first message. */
  #kept: number | null = null;
  #keptAtMs = 0;

  constructor(projection: Pick<Projection, 'apply' | 'offset'>, stream: string) {
    this.#projection = projection;
    this.#stream = stream;
  }

  /** Where to go on, by what the store says. @throws StoreUnavailableError */
  async begin(): Promise<number | 'first'> {
    const offset = await this.#projection.offset(this.#stream);
    this.#kept = offset ?? null;
    this.#keptAtMs = Date.now();
    return offset === undefined ? 'first' : offset + 1;
  }

  /**
   * Writes events, and that the stream was read up to there.
   * @returns false when the store has another offset than was left there: nothing was written, begin again
   * @throws StoreUnavailableError
   */
  async write({ events, drops, offset, isCurrent }: Step): Promise<boolean> {
    const isEmpty = events.length === 0 && drops.length === 0;
    if (isEmpty && isCurrent && Date.now() - this.#keptAtMs < IDLE_MS) return true;
    const after = this.#kept;
    const to = { stream: this.#stream, offset, after };
    if (!(await this.#projection.apply(events, to, drops))) return false;
    this.#kept = offset;
    this.#keptAtMs = Date.now();
    return true;
  }

  /** Whether the store has forgotten what was written there. @throws StoreUnavailableError */
  async isUndone(): Promise<boolean> {
    const before = this.#kept;
    if (before === null) return false;
    const offset = await this.#projection.offset(this.#stream);
    return offset === undefined || offset < before;
  }
}
