/** Markers that may be on their way before some are no longer remembered. */
const MAX_SENT = 12;
/** Two markers, and some time to read. */
const CURRENT_MS = 12_000;

/**
 * How far behind the end of the stream its reader is. Only a marker tells, a message of its own that it reads in turn:
 * the broker does not say where a stream ends, and times in the messages of others are of other clocks. These do until
 * the first marker came.
 */
export class LagMeter {
  #sentAtMs: number[] = [];
  #readAtMs: number | undefined;
  #delayMs = 0;
  #newestEventMs: number | undefined;

  markerSent(atMs: number): void {
    // The oldest tells the lag, the newest ones end it.
    if (this.#sentAtMs.length >= MAX_SENT) this.#sentAtMs.splice(1, 1);
    this.#sentAtMs.push(atMs);
  }

  /** The marker sent at this time has come back. */
  markerRead(sentAtMs: number, nowMs: number): void {
    this.#sentAtMs = this.#sentAtMs.filter((atMs) => atMs > sentAtMs);
    this.#readAtMs = sentAtMs;
    this.#delayMs = nowMs - sentAtMs;
  }

  eventRead(atMs: number): void {
    this.#newestEventMs = atMs;
  }

  lagMs(nowMs: number): number {
    const oldest = this.#sentAtMs[0] ?? nowMs;
    if (this.#readAtMs !== undefined) return Math.max(this.#delayMs, nowMs - oldest);
    return Math.max(0, nowMs - Math.min(oldest, this.#newestEventMs ?? oldest));
  }

  /** Whether what is read happened just now. */
  isCurrent(nowMs: number): boolean {
    return this.#readAtMs !== undefined && nowMs - this.#readAtMs <= CURRENT_MS;
  }
}
