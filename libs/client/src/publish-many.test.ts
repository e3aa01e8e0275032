import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { later, Publisher, reading, turn, upTo } from './publish-many.fixture.ts';
import { publishEach } from './publish-many.ts';

type Source = Iterable<number> | AsyncIterable<number>;

describe('publishEach', () => {
  it('answers every index once and never has more in flight than the window, whatever comes when', async () => {
    const step = fc.record({
      pick: fc.nat(),
      fails: fc.boolean(),
      readerIsSlow: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(40),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        fc.array(step, { minLength: 1, maxLength: 60 }),
        async (count, window, isAsync, steps) => {
          const publisher = new Publisher();
          const items: Source = isAsync ? later(upTo(count)) : upTo(count);
          const answered = new Map<number, string>();
          let at = 0;
          const next = () => steps[at++ % steps.length] as (typeof steps)[number];
          const done = (async () => {
            for await (const result of publishEach(items, publisher.publish, window)) {
              expect(answered.has(result.index)).toBe(false);
              answered.set(result.index, 'id' in result ? result.id : result.error.message);
              if (next().readerIsSlow) await turn();
            }
          })();
          let isDone = false;
          const settled = done.finally(() => {
            isDone = true;
          });
          const expected = new Map<number, string>();
          while (!isDone) {
            await turn();
            const { open } = publisher;
            if (open.length === 0) continue;
            const { pick, fails } = next();
            const index = open[pick % open.length] as number;
            expected.set(index, fails ? `no ${index}` : `id-${index}`);
            publisher.answer(index, fails ? new Error(`no ${index}`) : undefined);
          }
          await settled;
          expect(publisher.mostOpen).toBeLessThanOrEqual(window);
          expect(publisher.seen).toEqual(upTo(count));
          expect(answered).toEqual(expected);
          expect(answered.size).toBe(count);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each<[string, () => Source]>([
    ['a list', () => upTo(10)],
    ['a generator', () => upTo(10).values()],
    ['a set', () => new Set(upTo(10))],
    ['an async generator', () => later(upTo(10))],
  ])('uses the whole window, of %s', async (_, items) => {
    const publisher = new Publisher();
    const { read, done } = reading(publishEach(items(), publisher.publish, 4));
    await turn();
    expect(publisher.open).toEqual([0, 1, 2, 3]);
    publisher.answer(2);
    await turn();
    expect(publisher.open).toEqual([0, 1, 3, 4]);
    expect(read).toEqual([{ index: 2, id: 'id-2' }]);
    for (let n = 0; n < 10; n += 1) {
      publisher.answerAll();
      await turn();
    }
    await done;
    expect(read).toHaveLength(10);
  });

  it('answers nothing for nothing', async () => {
    const { read, done } = reading(publishEach([], new Publisher().publish, 4));
    await done;
    expect(read).toEqual([]);
  });

  it('publishes no further while nobody reads', async () => {
    const publisher = new Publisher();
    const results = publishEach(upTo(100), publisher.publish, 5);
    const first = results.next();
    publisher.answerAll();
    await first;
    publisher.answerAll();
    await turn();
    expect(publisher.seen.length).toBeLessThanOrEqual(10);
    await results.return();
  });

  it('leaves in the source what there is no room for, and goes on when told', async () => {
    const publisher = new Publisher();
    const tells = new Set<() => void>();
    let places = 2;
    const room = {
      get hasRoom() {
        return publisher.seen.length < places;
      },
      onRoom: (tell: () => void) => void tells.add(tell),
    };
    const { read, done } = reading(publishEach(upTo(4), publisher.publish, 10, room));
    await turn();
    expect(publisher.seen).toEqual([0, 1]);
    publisher.answerAll();
    await turn();
    expect([publisher.seen, read.length]).toEqual([[0, 1], 2]);
    expect(tells.size).toBe(1);
    places = 5;
    for (const tell of tells) tell();
    await turn();
    expect(publisher.seen).toEqual(upTo(4));
    publisher.answerAll();
    await done;
    expect(read).toHaveLength(4);
  });

  it('tells an answer though the source has no further item yet', async () => {
    const publisher = new Publisher();
    let release: (() => void) | undefined;
    async function* slow() {
      yield 0;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield 1;
    }
    const { read, done } = reading(publishEach(slow(), publisher.publish, 10));
    await turn();
    publisher.answer(0);
    await turn();
    expect(read).toEqual([{ index: 0, id: 'id-0' }]);
    release?.();
    await turn();
    publisher.answer(1);
    await done;
    expect(read).toHaveLength(2);
  });
});
