import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeySlots } from './key-slots.ts';

describe('slots for each key', () => {
  it('are taken and left by those that run, each key by itself', () => {
    const slots = new KeySlots(2);
    const [first] = [slots.begin('a'), slots.begin('a')];
    expect(['a', 'b'].map((key) => slots.mayStart(key))).toEqual([false, true]);
    first(true);
    expect(slots.mayStart('a')).toBe(true);
  });

  it('put jobs off until about when it is their turn, by how long runs take', () => {
    let nowMs = 1_000;
    const slots = new KeySlots(2, () => nowMs);
    for (let n = 0; n < 30; n += 1) {
      const end = slots.begin('slow');
      nowMs += 20_000;
      end(true);
    }
    // One that did not run after all says nothing of how long runs take.
    for (let n = 0; n < 30; n += 1) slots.begin('slow')(false);
    const delays = [0, 0, 0].map(() => slots.putOffMs('slow', 10));
    expect(delays.map((delayMs) => Math.round(delayMs / 1_000))).toEqual([100, 110, 120]);
    expect(slots.putOffMs('new', 4)).toBe(2_000);
    expect(slots.putOffMs('slow', 1_000_000)).toBe(300_000);
    // Whoever comes later is not put off behind what is beyond that.
    nowMs += 250_000;
    expect(slots.putOffMs('slow', 0)).toBeLessThanOrEqual(60_000);
  });

  it('never let more run than they may, and are forgotten where nothing runs', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), isEnd: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step), (max, steps) => {
        const slots = new KeySlots(max);
        const running: Record<string, ((isDone: boolean) => void)[]> = { a: [], b: [], c: [] };
        for (const { key, isEnd } of steps) {
          if (isEnd) running[key]?.shift()?.(true);
          else if (slots.mayStart(key)) running[key]?.push(slots.begin(key));
          expect(running[key]?.length).toBeLessThanOrEqual(max);
          expect(slots.mayStart(key)).toBe((running[key]?.length ?? 0) < max);
        }
      }),
    );
    const slots = new KeySlots(1);
    slots.begin('runs');
    for (let n = 0; n < 12_000; n += 1) slots.begin(`k${n}`)(true);
    expect([slots.size, slots.mayStart('runs')]).toEqual([10_000, false]);
  });
});
