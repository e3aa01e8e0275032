import { describe, expect, it } from 'vitest';
import { inBreaths } from './in-breaths.ts';

/** Items that each keep the process busy for some time. */
function* busy(count: number): Generator<number> {
  for (let item = 0; item < count; item += 1) {
    const untilMs = performance.now() + 25;
    while (performance.now() < untilMs);
    yield item;
  }
}

describe('items that take long to make', () => {
  it('come all, in their order, and leave others a turn after each', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const items: number[] = [];
    for await (const item of inBreaths(busy(6), AbortSignal.timeout(60_000))) items.push(item);
    clearInterval(timer);
    expect(items).toEqual([0, 1, 2, 3, 4, 5]);
    expect(turns).toBeGreaterThan(2);
  });

  it('are given up once the signal says so, which others can then say', async () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort(new Error('enough')));
    const items: number[] = [];
    const all = async () => {
      for await (const item of inBreaths(busy(1_000), controller.signal)) items.push(item);
    };
    await expect(all()).rejects.toThrow('enough');
    expect(items.length).toBeLessThan(1_000);
  });
});
