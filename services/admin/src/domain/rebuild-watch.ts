/** What there is to say about a rebuild. */
type RebuildNews = 'done' | 'stalled' | 'on its way' | undefined;

const SAY_EVERY_MS = 2_000;
/** A tracker that is well writes several times a second. */
const STALLED_AFTER_MS = 60_000;

/** Follows how far a tracker has come again. Times are of one clock. */
export class RebuildWatch {
  readonly #until: number;
  #offset = -1;
  #movedAtMs: number;
  #saidAtMs: number;

  /** `until`: the offset that it had before. */
  constructor(until: number, nowMs: number) {
    this.#until = until;
    this.#movedAtMs = nowMs;
    this.#saidAtMs = nowMs;
  }

  /** Undefined for nothing worth a word. */
  see(offset: number, nowMs: number): RebuildNews {
    if (offset >= this.#until) return 'done';
    if (offset > this.#offset) {
      this.#offset = offset;
      this.#movedAtMs = nowMs;
    }
    if (nowMs - this.#movedAtMs > STALLED_AFTER_MS) return 'stalled';
    if (nowMs - this.#saidAtMs < SAY_EVERY_MS) return undefined;
    this.#saidAtMs = nowMs;
    return 'on its way';
  }
}
