/**
 * Where to begin in a stream: its first message, its newest ones, only what is still to come, an offset, or a time of the
 * broker's clock, ms since 1970: then messages from shortly before it may come first.
 */
export type StreamStart = 'first' | 'last' | 'next' | number | { readonly sinceMs: number };

/** As the broker takes it in the argument `x-stream-offset`. */
type StreamOffsetArgument =
  | 'first'
  | 'last'
  | 'next'
  | number
  | { readonly '!': 'timestamp'; readonly value: number };

/** What to do with a message. */
type Verdict = { readonly isNew: boolean; readonly gap?: readonly [from: number, to: number] };

/**
 * Every segment of a stream begins with a record of the broker's own, which takes an offset (measured on 3.10 and 4.3): a
 * hole of this many offsets is no loss.
 */
const HOLE = 1;

/** Clocks differ, and what is read twice does less harm than what is not read. */
const CLOCK_TOLERANCE_SECONDS = 10;

/** How far a stream was read, and so where to go on. Pure. */
export class StreamPosition {
  readonly #start: StreamStart;
  #expected: number | undefined;
  /** The first subscription, s since 1970. */
  #sinceSeconds: number | undefined;
  #isShort = false;

  constructor(start: StreamStart) {
    this.#start = start;
    this.#expected = typeof start === 'number' ? start : undefined;
  }

  /**
   * Where to subscribe. From the message before the one that is expected: that one was read, so it is there to be had, unless
   * the stream was deleted and made again.
   */
  get argument(): StreamOffsetArgument {
    if (this.#isShort) return 'first';
    if (this.#expected !== undefined) return Math.max(0, this.#expected - 1);
    if (this.#start === 'next' && this.#sinceSeconds !== undefined) {
      return { '!': 'timestamp', value: this.#sinceSeconds };
    }
    if (typeof this.#start === 'object') {
      return { '!': 'timestamp', value: Math.max(0, Math.floor(this.#start.sinceMs / 1_000)) };
    }
    return this.#start;
  }

  /** Must a subscription bring a message at once, however little is published? */
  get mustDeliver(): boolean {
    return !this.#isShort && this.#expected !== undefined && this.#expected > 0;
  }

  /** The broker took the subscription. */
  subscribed(nowMs: number): void {
    this.#sinceSeconds ??= Math.floor(nowMs / 1_000) - CLOCK_TOLERANCE_SECONDS;
  }

  /** A subscription that must deliver brought nothing: the stream ends before the position, and is read from its beginning. */
  isShort(): void {
    this.#isShort = true;
  }

  /** A message came in. */
  at(offset: number): Verdict {
    const expected = this.#expected;
    const isFromAnew = this.#isShort;
    this.#isShort = false;
    if (expected !== undefined && offset < expected && !isFromAnew) return { isNew: false };
    this.#expected = offset + 1;
    if (expected === undefined || isContinued(expected, offset)) return { isNew: true };
    return { isNew: true, gap: [expected, offset] };
  }

  /** What was given from this offset on was lost on its way to whoever reads. */
  backTo(offset: number): void {
    this.#expected = offset;
  }
}

function isContinued(expected: number, offset: number): boolean {
  return offset >= expected && offset <= expected + HOLE;
}
