import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { later, Publisher, reading, turn, upTo } from './publish-many.fixture.ts';
import { publishEach } from './publish-many.ts';

/** A source of 0, 1, 2 … that tells whether it was closed. */
function endless(next: (n: number) => IteratorResult<number> | Promise<IteratorResult<number>>) {
  let n = 0;
  const close = vi.fn(async () => ({ done: true as const, value: undefined }));
  const iterator = { next: async () => next(n++), return: close };
  return { close, items: { [Symbol.asyncIterator]: () => iterator } };
}

const item = (value: number): IteratorResult<number> => ({ done: false, value });
const END: IteratorResult<number> = { done: true, value: undefined };

const failEveryThird = {
  rejecting: async (n: number) => {
    if (n % 3 === 1) throw new Error(`no ${n}`);
    return { id: `${n}` };
  },
  throwing: (n: number) => {
    if (n % 3 === 1) throw new Error(`no ${n}`);
    return Promise.resolve({ id: `${n}` });
  },
};

describe('an item that cannot be published', () => {
  it.each(['rejecting', 'throwing'] as const)(
    'is answered with its own error by a %s publish, and disturbs no other',
    async (kind) => {
      for (const items of [upTo(7), later(upTo(7))]) {
        const { read, done } = reading(publishEach(items, failEveryThird[kind], 2));
        await done;
        expect(read.map(({ index }) => index).sort()).toEqual(upTo(7));
        const failed = read.flatMap((answer) => ('error' in answer ? [answer.error.message] : []));
        expect(failed.sort()).toEqual(['no 1', 'no 4']);
      }
    },
  );
});

describe('a source that fails', () => {
  function* failing() {
    yield* upTo(3);
    throw new Error('no more');
  }

  it.each([
    ['sync', () => failing()],
    ['async', () => later(failing())],
  ])(
    '(%s) has all that is in flight answered first, then its error is thrown',
    async (_, items) => {
      const publisher = new Publisher();
      const { read, done } = reading(publishEach(items(), publisher.publish, 10));
      await turn();
      expect(publisher.open).toEqual([0, 1, 2]);
      publisher.answer(1, new Error('its own'));
      publisher.answerAll();
      await expect(done).rejects.toThrow('no more');
      expect(read.map(({ index }) => index).sort()).toEqual([0, 1, 2]);
    },
  );

  it('is not told to end: it has', async () => {
    const { items, close } = endless(() => Promise.reject(new Error('no more')));
    const { done } = reading(publishEach(items, new Publisher().publish, 2));
    await expect(done).rejects.toThrow('no more');
    expect(close).not.toHaveBeenCalled();
  });

  it('may throw undefined', async () => {
    const { items } = endless(() => Promise.reject(undefined));
    await expect(reading(publishEach(items, new Publisher().publish, 2)).done).rejects.toBe(
      undefined,
    );
  });
});

describe('a source that ends', () => {
  it('is not told to end', async () => {
    const { items, close } = endless((n) => (n < 2 ? item(n) : END));
    const publisher = new Publisher();
    const { done } = reading(publishEach(items, publisher.publish, 5));
    await turn();
    publisher.answerAll();
    await done;
    expect(close).not.toHaveBeenCalled();
  });
});

describe('a reader that leaves early', () => {
  it('closes the source, and takes no harm from what is still in flight', async () => {
    const publisher = new Publisher();
    let n = 0;
    const close = vi.fn(() => END);
    const items = { [Symbol.iterator]: () => ({ next: () => item(n++), return: close }) };
    const leaving = (async () => {
      for await (const result of publishEach(items, publisher.publish, 3)) return result;
      return undefined;
    })();
    publisher.answer(1);
    expect(await leaving).toEqual({ index: 1, id: 'id-1' });
    expect(close).toHaveBeenCalledOnce();
    for (const index of publisher.open) publisher.answer(index, new Error('nobody waits for it'));
    await turn();
    expect(publisher.seen).toEqual([0, 1, 2]);
  });

  it('is not held up by a source that is making an item', async () => {
    const publisher = new Publisher();
    const never = new Promise<IteratorResult<number>>(() => {});
    const { items, close } = endless((n) => (n === 0 ? item(0) : never));
    const results = publishEach(items, publisher.publish, 3);
    const first = results.next();
    await turn();
    publisher.answer(0);
    expect((await first).value).toEqual({ index: 0, id: 'id-0' });
    await results.return();
    expect(close).toHaveBeenCalledOnce();
  });

  it('is told when the source cannot be closed', async () => {
    const publisher = new Publisher();
    const items = {
      [Symbol.iterator]: () => ({
        next: () => item(0),
        return: (): never => {
          throw new Error('it is stuck');
        },
      }),
    };
    const results = publishEach(items, publisher.publish, 3);
    const first = results.next();
    publisher.answerAll();
    await first;
    await expect(results.return()).rejects.toThrow('it is stuck');
  });
});

describe('a promise of another realm', () => {
  it('is waited for as any other', async () => {
    const elsewhere: (answer: unknown) => Promise<IteratorResult<number>> = runInNewContext(
      '(answer) => Promise.resolve(answer)',
    );
    expect(elsewhere(END)).not.toBeInstanceOf(Promise);
    let n = 0;
    const next = () => elsewhere(n < 2 ? item(n++) : END);
    const publisher = new Publisher();
    const { done } = reading(
      publishEach({ [Symbol.asyncIterator]: () => ({ next }) }, publisher.publish, 10),
    );
    await turn();
    publisher.answerAll();
    await done;
    expect(publisher.seen).toEqual([0, 1]);
  });
});
