import { BrokerUnavailableError, PayloadInvalidError } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { acceptMany, type BulkEntry } from './accept-bulk.ts';
import type { AcceptedJob, JobRequest } from './accept-job.ts';
import type { AcceptBulk, BulkOutcome } from './bulk-run.ts';

const MIB = 1024 * 1024;
const never = new AbortController().signal;

const entryOf = (id: string, bytes = 1): BulkEntry => ({
  request: { type: 't', payload: null, id },
  bytes,
});

/** Takes jobs as fast as they come, and answers each when a test says so. */
class Publisher implements AcceptBulk {
  readonly taken: string[] = [];
  readonly window = 3;
  readonly #answers: ((error?: Error) => void)[] = [];

  refusal(): undefined {}

  readonly accept = ({ id }: JobRequest): Promise<AcceptedJob> => {
    this.taken.push(id);
    return new Promise((resolve, reject) => {
      this.#answers.push((error) => (error ? reject(error) : resolve({ id })));
    });
  };

  answer(index: number, error?: Error): void {
    this.#answers[index]?.(error);
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

  it('has no more under way than the window', async () => {
    const publisher = new Publisher();
    const { done } = start(
      publisher,
      ['a', 'b', 'c', 'd', 'e'].map((id) => entryOf(id)),
    );
    await settled();
    publisher.answer(0);
    await settled();
    expect(publisher.taken).toEqual(['a', 'b', 'c', 'd']);
    for (const index of [1, 2, 3]) publisher.answer(index);
    await settled();
    publisher.answer(4);
    await done;
  });

  it('starts nothing while the receiver of reports is behind, and ends when it has caught up', async () => {
    const publisher = new Publisher();
    let caughtUp = (): void => {};
    const done = acceptMany(oneBatch([entryOf('a'), entryOf('b')]), publisher, {
      report: () =>
        new Promise((resolve) => {
          caughtUp = resolve;
        }),
      canRefuse: () => true,
      stopping: never,
    });
    await settled();
    publisher.answer(0);
    await settled();
    expect(publisher.taken).toEqual(['a']);
    caughtUp();
    await settled();
    expect(publisher.taken).toEqual(['a', 'b']);
    publisher.answer(1);
    await settled();
    const state = await Promise.race([done.then(() => 'ended'), settled().then(() => 'waits')]);
    expect(state).toBe('waits');
    caughtUp();
    await done;
  });

  it('refuses at once, although the next entries are still to come', async () => {
    const publisher = new Publisher();
    async function* slow() {
      yield [entryOf('a')];
      await new Promise(() => {});
    }
    const done = acceptMany(slow(), publisher, {
      report: () => {},
      canRefuse: () => true,
      stopping: never,
    });
    const refused = expect(done).rejects.toThrow(BrokerUnavailableError);
    await settled();
    publisher.answer(0, new BrokerUnavailableError('refused'));
    await refused;
  });

  it('reports what was under way before it says that the source has failed', async () => {
    const publisher = new Publisher();
    const outcomes: BulkOutcome[] = [];
    async function* failing() {
      yield [entryOf('a')];
      throw new Error('cut off');
    }
    const done = acceptMany(failing(), publisher, {
      report: (outcome) => void outcomes.push(outcome),
      canRefuse: () => true,
      stopping: never,
    });
    const failed = expect(done).rejects.toThrow('cut off');
    await settled();
    publisher.answer(0);
    await failed;
    expect(outcomes).toEqual([{ index: 0, id: 'a' }]);
  });

  it('ends with the error of a report that fails', async () => {
    const publisher = new Publisher();
    const done = acceptMany(oneBatch([entryOf('a'), entryOf('b')]), publisher, {
      report: () => {
        throw new Error('no room');
      },
      canRefuse: () => true,
      stopping: never,
    });
    const failed = expect(done).rejects.toThrow('no room');
    await settled();
    publisher.answer(0);
    await failed;
    expect(publisher.taken).toEqual(['a']);
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
