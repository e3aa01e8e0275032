import type { BulkItem, BulkResult } from '@warren/client';
import { BrokerUnavailableError, PayloadInvalidError } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { type AcceptBulk, acceptMany, type BulkEntry, type BulkOutcome } from './accept-bulk.ts';

const MIB = 1024 * 1024;
const never = new AbortController().signal;

const entryOf = (id: string, bytes = 1): BulkEntry => ({
  request: { type: 't', payload: null, id },
  bytes,
});

/** Takes items as fast as they come, and answers each when a test says so. */
class Publisher implements AcceptBulk {
  readonly taken: string[] = [];
  readonly #answers: BulkResult[] = [];
  #wake = (): void => {};
  #isOver = false;

  refusal(): undefined {}

  async *publishMany(items: AsyncIterable<BulkItem>): AsyncGenerator<BulkResult> {
    const taking = this.#take(items);
    let yielded = 0;
    for (;;) {
      const answer = this.#answers.shift();
      if (answer) {
        yielded += 1;
        yield answer;
      } else if (this.#isOver && yielded === this.taken.length) break;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    await taking;
  }

  answer(index: number, error?: Error): void {
    this.#answers.push(error ? { index, error } : { index, id: String(this.taken[index]) });
    this.#wake();
  }

  async #take(items: AsyncIterable<BulkItem>): Promise<void> {
    for await (const { options } of items) this.taken.push(String(options?.id));
    this.#isOver = true;
    this.#wake();
  }
}

async function* oneBatch(entries: readonly BulkEntry[]) {
  yield entries;
}

/** Everything that can happen by now has happened. */
const settled = () => new Promise(setImmediate);

function start(publisher: Publisher, entries: readonly BulkEntry[], canRefuse = true) {
  const outcomes: BulkOutcome[] = [];
  const done = acceptMany(oneBatch(entries), publisher, {
    report: (outcome) => void outcomes.push(outcome),
    canRefuse: () => canRefuse,
    stopping: never,
  });
  done.catch(() => {});
  return { outcomes, done };
}

describe('acceptMany', () => {
  it('sends the first job alone, and the others together once it is answered', async () => {
    const publisher = new Publisher();
    const { outcomes, done } = start(
      publisher,
      ['a', 'b', 'c'].map((id) => entryOf(id)),
    );
    await settled();
    expect(publisher.taken).toEqual(['a']);
    publisher.answer(0);
    await settled();
    expect(publisher.taken).toEqual(['a', 'b', 'c']);
    publisher.answer(2);
    publisher.answer(1);
    await done;
    expect(outcomes).toEqual([
      { index: 0, id: 'a' },
      { index: 2, id: 'c' },
      { index: 1, id: 'b' },
    ]);
  });

  it('learns nothing about the broker from what is wrong with an item', async () => {
    const publisher = new Publisher();
    const { done } = start(
      publisher,
      ['a', 'b', 'c'].map((id) => entryOf(id)),
    );
    await settled();
    publisher.answer(0, new PayloadInvalidError('t', []));
    await settled();
    expect(publisher.taken).toEqual(['a', 'b']);
    publisher.answer(1, new BrokerUnavailableError('refused'));
    await expect(done).rejects.toThrow(BrokerUnavailableError);
    await settled();
    expect(publisher.taken).toEqual(['a', 'b']);
  });

  it('goes on without the broker where the request cannot be refused any more', async () => {
    const publisher = new Publisher();
    const { outcomes, done } = start(publisher, [entryOf('a'), entryOf('b')], false);
    await settled();
    publisher.answer(0, new BrokerUnavailableError('refused'));
    await settled();
    publisher.answer(1);
    await done;
    expect(outcomes.map(({ index, error }) => [index, error !== undefined])).toEqual([
      [0, true],
      [1, false],
    ]);
  });

  it('has no more than 16 MiB on their way, but one job of any size', async () => {
    const publisher = new Publisher();
    const sizes = [1, 9 * MIB, 7 * MIB, 1, 40 * MIB];
    const { done } = start(
      publisher,
      sizes.map((bytes, n) => entryOf(String(n), bytes)),
    );
    await settled();
    publisher.answer(0);
    await settled();
    expect(publisher.taken).toEqual(['0', '1', '2']);
    publisher.answer(1);
    await settled();
    expect(publisher.taken).toEqual(['0', '1', '2', '3']);
    publisher.answer(2);
    publisher.answer(3);
    await settled();
    expect(publisher.taken).toEqual(['0', '1', '2', '3', '4']);
    publisher.answer(4);
    await done;
  });

  it('gives each its place, those that are wrong from the start too', async () => {
    const publisher = new Publisher();
    const { outcomes, done } = start(publisher, [
      { error: new Error('no JSON') },
      entryOf('a'),
      { error: new Error('no type') },
    ]);
    await settled();
    publisher.answer(0);
    await done;
    expect(outcomes.map(({ index }) => index).sort()).toEqual([0, 1, 2]);
    expect(outcomes).toContainEqual({ index: 1, id: 'a' });
  });
});
