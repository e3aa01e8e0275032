/** How a group is written. */
export interface GroupCommitOptions<Item, Answer> {
  /** Writes items at once; answers in their order. What it rejects with, each of them is answered with. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly maxItems: number;
  readonly maxBytes: number;
  readonly bytesOf: (item: Item) => number;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly bytes: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Groups on their way at once. One: the more that come meanwhile, the fewer statements for them. */
const MAX_RUNNING = 1;

/**
 * Writes items in groups: those of one turn of the event loop together, and while groups are being written all that come
 * meanwhile. So a lone item waits for nobody, and many at once cost one statement. Its memory is that of its callers, each
 * of whom waits for an answer.
 */
export class GroupCommit<Item, Answer> {
  readonly #options: GroupCommitOptions<Item, Answer>;
  #waiting: Waiting<Item, Answer>[] = [];
  #running = 0;
  #isScheduled = false;

  constructor(options: GroupCommitOptions<Item, Answer>) {
    this.#options = options;
  }

  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, bytes: this.#options.bytesOf(item), resolve, reject });
      if (this.#isScheduled || this.#running >= MAX_RUNNING) return;
      this.#isScheduled = true;
      setImmediate(() => {
        this.#isScheduled = false;
        this.#begin();
      });
    });
  }

  #begin(): void {
    while (this.#running < MAX_RUNNING && this.#waiting.length > 0) void this.#write(this.#take());
  }

  /** As many as fit; one that exceeds the bound alone goes alone. */
  #take(): readonly Waiting<Item, Answer>[] {
    const { maxItems, maxBytes } = this.#options;
    let count = 0;
    let bytes = 0;
    for (const { bytes: more } of this.#waiting) {
      if (count === maxItems || (count > 0 && bytes + more > maxBytes)) break;
      bytes += more;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #write(group: readonly Waiting<Item, Answer>[]): Promise<void> {
    this.#running += 1;
    try {
      const answers = await this.#options.commit(group.map(({ item }) => item));
      for (const [at, { resolve }] of group.entries()) resolve(answers[at] as Answer);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.#running -= 1;
      this.#begin();
    }
  }
}
