import type { HistoryBatch } from '@warren/history';
import type { HistorySource, OpenReader } from './history-readers.ts';

/** So far back a client is told what it missed: days of history are not read for each that asks. */
export const MAX_BACK_MS = 15 * 60_000;
/** The broker's own record at the beginning of a segment takes an offset: a hole of this many is no loss. */
const HOLE = 1;

/** What is needed to catch up. */
export interface CatchUpOptions {
  /** The last offset that the follower has seen. */
  readonly after: number;
  readonly source: HistorySource;
  /** Has its reader while that is open; once that was taken out, no other is opened. */
  readonly open: Set<OpenReader>;
  /** How far the common reader has read; undefined before its first batch. */
  readonly reached: () => number | undefined;
  readonly deliver: (batch: HistoryBatch) => void;
  /** Events from `from` up to, not including, `to` are gone or too old. */
  readonly onGap: ((from: number, to: number) => void) | undefined;
}

/**
 * Reads for one follower what was before, until that reader has reached what the common one has read: until then the follower
 * hears the former alone. How old the place is that it asked for shows in the first batch that tells a time.
 */
export class CatchUp {
  readonly #options: CatchUpOptions;
  #caught: number;
  #own: OpenReader | undefined;
  /** Counts readers: only the last one is listened to. */
  #turn = 0;
  #isJudged = false;
  #isCutShort = false;

  constructor(options: CatchUpOptions) {
    this.#options = options;
    this.#caught = options.after;
    this.#read(options.after + 1);
  }

  /** What the common reader has read. */
  readonly live = (batch: HistoryBatch): void => {
    if (batch.offset <= this.#caught) this.end();
    else if (!this.#own) this.#options.deliver(batch);
  };

  readonly end = (): void => {
    this.#turn += 1;
    if (this.#own) {
      this.#options.open.delete(this.#own);
      void this.#own.close();
    }
    this.#own = undefined;
  };

  #read(from: number | { readonly sinceMs: number }): void {
    this.end();
    const turn = this.#turn;
    const own = this.#options.source.open(
      from,
      (batch) => {
        if (turn === this.#turn && this.#options.open.has(own)) this.#take(batch);
      },
      (lost, to) => {
        if (turn === this.#turn) this.#onGap(lost, to);
      },
    );
    this.#own = own;
    this.#options.open.add(own);
  }

  #take(batch: HistoryBatch): void {
    if (this.#isTooOld(batch)) {
      this.#isCutShort = true;
      this.#read({ sinceMs: Date.now() - MAX_BACK_MS });
      return;
    }
    if (this.#isCutShort) {
      // One event may be old where its place is not: then reading begins before what was asked for.
      if (batch.offset <= this.#caught) return;
      this.#isCutShort = false;
      const next = this.#caught + 1;
      if (batch.firstOffset > next + HOLE) this.#onGap(next, batch.firstOffset);
    }
    this.#caught = batch.offset;
    this.#options.deliver(batch);
    const reached = this.#options.reached();
    if (reached !== undefined && this.#caught >= reached) this.end();
  }

  /** Asked once: what begins in time is read to its end, however long that takes. */
  #isTooOld({ events, heartbeats }: HistoryBatch): boolean {
    if (this.#isJudged) return false;
    const oldest = [...events, ...heartbeats].reduce(
      (least, { atMs }) => Math.min(least, atMs),
      Infinity,
    );
    this.#isJudged = oldest !== Infinity;
    return oldest < Date.now() - MAX_BACK_MS;
  }

  #onGap(from: number, to: number): void {
    this.#caught = to - 1;
    this.#options.onGap?.(from, to);
  }
}
