/** Anything that items can be read from, one after the other. */
export type Many<Item> = Iterable<Item> | AsyncIterable<Item>;

/**
 * Reads an iterable of either kind item by item. An item is asked for and taken in two steps, so that its reader can look
 * after other things while a slow source has none.
 */
export class ItemSource<Item> {
  readonly #iterator: Iterator<Item> | AsyncIterator<Item>;
  readonly #isAsync: boolean;
  readonly #onChange: () => void;
  #isAsked = false;
  #item: { readonly value: Item } | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  /** @param onChange called when an item that was asked for is there, or is known not to come */
  constructor(items: Many<Item>, onChange: () => void) {
    this.#isAsync = Symbol.asyncIterator in items;
    this.#iterator =
      Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    this.#onChange = onChange;
  }

  /** No further item comes: all are taken, or the source failed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** What the source threw, if it did. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Asks for the next item, unless it is there or asked for already. */
  ask(): void {
    if (this.#isAsked || this.#item || this.#isOver) return;
    this.#isAsked = true;
    try {
      const next = this.#iterator.next();
      if (!this.#isAsync) this.#receive(next as IteratorResult<Item>);
      // Not by its class: a promise of another library is one too.
      else Promise.resolve(next).then((result) => this.#receive(result), this.#fail);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The item that was asked for, once it is there. */
  take(): { readonly value: Item } | undefined {
    const item = this.#item;
    this.#item = undefined;
    return item;
  }

  /** Tells the source that nothing more is wanted. One that is just making an item is not waited for: it may take for ever. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const closing = Promise.resolve(this.#iterator.return?.());
    if (this.#isAsked) closing.catch(() => {});
    else await closing;
  }

  #receive(result: IteratorResult<Item>): void {
    this.#isAsked = false;
    if (result.done) this.#isOver = true;
    else this.#item = { value: result.value };
    this.#onChange();
  }

  readonly #fail = (error: unknown): void => {
    this.#isAsked = false;
    this.#isOver = true;
    this.#failure = { error };
    this.#onChange();
  };
}
