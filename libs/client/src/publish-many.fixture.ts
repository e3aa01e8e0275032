import type { BulkResult } from './publish-many.ts';

export async function* later(items: Iterable<number>): AsyncGenerator<number> {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** A publisher whose answers the test gives, in any order. */
export class Publisher {
  readonly seen: number[] = [];
  readonly #open = new Map<number, { resolve(id: { id: string }): void; reject(e: Error): void }>();
  mostOpen = 0;

  readonly publish = (item: number, index: number): Promise<{ id: string }> => {
    this.seen.push(item);
    return new Promise((resolve, reject) => {
      this.#open.set(index, { resolve, reject });
      this.mostOpen = Math.max(this.mostOpen, this.#open.size);
    });
  };

  get open(): number[] {
    return [...this.#open.keys()];
  }

  answer(index: number, error?: Error): void {
    const pending = this.#open.get(index);
    this.#open.delete(index);
    if (error) pending?.reject(error);
    else pending?.resolve({ id: `id-${index}` });
  }

  answerAll(): void {
    for (const index of this.open) this.answer(index);
  }
}

/** Reads everything in the background. */
export function reading(results: AsyncIterable<BulkResult>) {
  const read: BulkResult[] = [];
  const done = (async () => {
    for await (const result of results) read.push(result);
  })();
  done.catch(() => {});
  return { read, done };
}

/** Long enough for all that is ready to happen. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
