import { ItemSource, type Many } from './item-source.ts';

/** What became of one item: its id, or the error that a single publish of it would have thrown. */
export type BulkResult =
  | (Taken & { readonly index: number })
  | { readonly index: number; readonly error: Error };

/** What a publish answers; the marks are those of whoever publishes for somebody else. */
interface Taken {
  readonly id: string;
  readonly duplicate?: true;
  readonly replaced?: true;
}

/** Of what items go through: whether it takes more just now. */
export interface Room {
  readonly hasRoom: boolean;
  /** Calls once, when it has room again. */
  onRoom(tell: () => void): void;
}

const UNBOUNDED: Room = { hasRoom: true, onRoom: () => {} };

type Publish<Item> = (item: Item, index: number) => Promise<Taken>;

/**
 * Publishes items as fast as the consumer of the results allows, at most `window` at once, and yields what became of
 * each, as it becomes known, also while the source has no further item yet. Nothing is taken from the source while there is
 * no room for it. Memory depends on the window alone, however
 * many items there are. One item's failure is its own; when the source throws, what is in flight is still answered, then
 * the error is thrown. Who leaves the loop early closes the source; what is in flight by then is published nevertheless.
 */
export async function* publishEach<Item>(
  items: Many<Item>,
  publish: Publish<Item>,
  window: number,
  room: Room = UNBOUNDED,
): AsyncGenerator<BulkResult, void, undefined> {
  const bell = new Bell();
  const ring = () => bell.ring();
  const answers = new Answers(ring);
  const source = new ItemSource(items, ring);
  let index = 0;
  try {
    for (;;) {
      for (const answer of answers.take()) yield answer;
      if (answers.open < window) {
        if (room.hasRoom) source.ask();
        else room.onRoom(ring);
      }
      const item = source.take();
      if (item) {
        answers.expect(start(publish, item.value, index), index);
        index += 1;
        continue;
      }
      if (source.isOver && answers.isEmpty) break;
      await bell.rung();
    }
  } finally {
    await source.close();
  }
  if (source.failure) throw source.failure.error;
}

/** What is thrown at once is the item's own failure too. */
function start<Item>(publish: Publish<Item>, item: Item, index: number): Promise<Taken> {
  try {
    return publish(item, index);
  } catch (error) {
    return Promise.reject(error as Error);
  }
}

/** For one who waits until anything has happened since the last wait. */
class Bell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  async rung(): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    this.#hasRung = false;
  }
}

/** Answers as they come, for one reader. */
class Answers {
  readonly #onAnswer: () => void;
  #open = 0;
  #ready: BulkResult[] = [];

  constructor(onAnswer: () => void) {
    this.#onAnswer = onAnswer;
  }

  /** Not yet answered. */
  get open(): number {
    return this.#open;
  }

  /** All are answered, and the answers taken. */
  get isEmpty(): boolean {
    return this.#open === 0 && this.#ready.length === 0;
  }

  expect(answer: Promise<Taken>, index: number): void {
    this.#open += 1;
    answer.then(
      ({ id, duplicate, replaced }) =>
        this.#add(
          duplicate ? { index, id, duplicate, ...(replaced && { replaced }) } : { index, id },
        ),
      (error: unknown) => this.#add({ index, error: error as Error }),
    );
  }

  take(): readonly BulkResult[] {
    const taken = this.#ready;
    if (taken.length > 0) this.#ready = [];
    return taken;
  }

  #add(result: BulkResult): void {
    this.#open -= 1;
    this.#ready.push(result);
    this.#onAnswer();
  }
}
