import type { StreamMessage } from './stream-message.ts';
import type { StreamReader, StreamReaderOptions } from './stream-reader.ts';

/** What a reader of the newest message needs. */
export interface NewestReaderOptions<Value>
  extends Pick<StreamReaderOptions, 'stream' | 'onProblem'> {
  readonly broker: { readStream(options: StreamReaderOptions): StreamReader };
  /** Undefined for what makes no sense. */
  decode(body: Buffer): Value | undefined;
  /** The newest that makes sense, now and whenever there is a newer one; of several that come at once the last. */
  onValue(value: Value): void;
  /** The stream has messages, and none of them makes sense. */
  onNothing(): void;
  /** A message makes no sense: what was told before stays, or is looked for in the whole stream. */
  onNonsense(offset: number): void;
}

const PREFETCH = 1_000;

/**
 * Follows a stream of which only the last message counts. One that makes no sense does not hide what was said before: a
 * stream whose newest part has nothing else is read from its beginning, once.
 */
export class NewestReader<Value> {
  readonly #options: NewestReaderOptions<Value>;
  readonly #newest: StreamReader;
  #older: StreamReader | undefined;
  #isKnown = false;
  #isClosed = false;

  constructor(options: NewestReaderOptions<Value>) {
    this.#options = options;
    this.#newest = this.#read('last', (messages) => this.#take(messages));
  }

  /** Undefined while it reads; otherwise what is wrong. */
  get problem(): string | undefined {
    return this.#newest.problem;
  }

  start(): void {
    this.#newest.start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#newest.close(), this.#older?.close()]);
  }

  #read(from: 'first' | 'last', take: (messages: readonly StreamMessage[]) => void): StreamReader {
    const { broker, stream, onProblem } = this.#options;
    return broker.readStream({
      stream,
      from,
      prefetch: PREFETCH,
      async onMessages(messages) {
        take(messages);
      },
      onProblem: (problem) => onProblem?.(problem),
    });
  }

  #take(messages: readonly StreamMessage[]): void {
    const last = messages.at(-1);
    if (!last || this.#isClosed) return;
    const found = this.#newestIn(messages);
    if (!found || found.offset < last.offset) this.#options.onNonsense(last.offset);
    if (found) this.#tell(found.value);
    else if (!this.#isKnown) this.#lookBack(last.offset);
  }

  /** What was said before is somewhere before this offset, if anything was. */
  #lookBack(offset: number): void {
    if (this.#older) return;
    let newest: { readonly value: Value } | undefined;
    const older = this.#read('first', (messages) => {
      newest = this.#newestIn(messages) ?? newest;
      if (this.#older !== older || (messages.at(-1)?.offset ?? 0) < offset) return;
      this.#older = undefined;
      void older.close();
      if (this.#isKnown || this.#isClosed) return;
      if (newest) this.#tell(newest.value);
      else this.#options.onNothing();
    });
    this.#older = older;
    older.start();
  }

  #newestIn(messages: readonly StreamMessage[]): { value: Value; offset: number } | undefined {
    for (const { body, offset } of [...messages].reverse()) {
      const value = this.#options.decode(body);
      if (value !== undefined) return { value, offset };
    }
    return undefined;
  }

  #tell(value: Value): void {
    this.#isKnown = true;
    this.#options.onValue(value);
  }
}
