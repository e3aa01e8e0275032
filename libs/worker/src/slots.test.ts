import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

/** Slots whose work ends when the test says so. */
function slots(limit: number) {
  const started: number[] = [];
  const running = new Map<number, () => void>();
  const under = new Slots<number>(limit, (item) => {
    started.push(item);
    return new Promise((resolve) => {
      running.set(item, resolve);
    });
  });
  const end = async (item: number) => {
    running.get(item)?.();
    running.delete(item);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { under, started, running, end };
}

type Step = { add: number } | { end: number } | { remove: number } | { resize: number };
const steps = fc.array(
  fc.oneof(
    fc.record({ add: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ end: fc.nat(20) }),
    fc.record({ remove: fc.integer({ min: 2, max: 4 }) }),
    fc.record({ resize: fc.integer({ min: 1, max: 8 }) }),
  ),
  { maxLength: 60 },
);

describe('Slots', () => {
  it('starts first come first served, never more than the limit of the moment, and keeps no slot idle', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), steps, async (first, run: Step[]) => {
        let limit = first;
        const { under, started, running, end } = slots(limit);
        let next = 0;
        let waiting: number[] = [];
        const expected: number[] = [];
        const fill = () => {
          while (expected.length - ended < limit && waiting.length > 0) {
            expected.push(waiting.shift() ?? -1);
          }
        };
        let ended = 0;
        for (const step of run) {
          const before = started.length;
          if ('add' in step) {
            for (let i = 0; i < step.add; i += 1) {
              waiting.push(next);
              under.add(next);
              next += 1;
            }
          } else if ('end' in step) {
            const item = [...running.keys()][step.end % Math.max(1, running.size)];
            if (item === undefined) continue;
            await end(item);
            ended += 1;
          } else if ('resize' in step) {
            limit = step.resize;
            under.resize(limit);
          } else {
            const picked = waiting.filter((item) => item % step.remove === 0);
            waiting = waiting.filter((item) => item % step.remove !== 0);
            expect(under.remove((item) => item % step.remove === 0)).toEqual(picked);
          }
          fill();
          expect(started).toEqual(expected);
          expect(running.size).toBe(expected.length - ended);
          // What ran before it shrank runs on, and nothing starts beside it.
          if (started.length > before) expect(running.size).toBeLessThanOrEqual(limit);
          expect(under.waiting).toBe(waiting.length);
        }
      }),
    );
  });

  it('leaves what runs alone when it removes', async () => {
    const { under, started, end } = slots(1);
    for (const item of [1, 2, 3]) under.add(item);
    expect(under.remove(() => true)).toEqual([2, 3]);
    expect(under.waiting).toBe(0);
    await end(1);
    expect(started).toEqual([1]);
    under.add(4);
    expect(started).toEqual([1, 4]);
  });

  it('lets go of what has ended, also while something always waits', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const seen: WeakRef<object>[] = [];
    let free = () => {};
    const under = new Slots<object>(
      1,
      () =>
        new Promise((resolve) => {
          free = resolve;
        }),
    );
    for (let i = 0; i < 1_000; i += 1) {
      const item = { i };
      seen.push(new WeakRef(item));
      under.add(item);
      if (i < 3) continue;
      free();
      await new Promise(setImmediate);
      expect(under.waiting).toBe(2);
    }
    collectGarbage();
    expect(seen.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(20);
  });
});
