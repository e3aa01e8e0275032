import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gcra, UNUSED as unused } from './gcra.ts';

const none = { wanted: 0, putOff: 0, maxPutOffMs: 3_600_000 };
const rule = fc.record({
  intervalMs: fc.double({ min: 0.05, max: 10_000, noNaN: true }),
  burst: fc.integer({ min: 1, max: 50 }),
});
const steps = fc.array(
  fc.record({
    afterMs: fc.double({ min: 0, max: 20_000, noNaN: true }),
    wanted: fc.integer({ min: 0, max: 80 }),
    putOff: fc.integer({ min: 0, max: 5 }),
  }),
  { minLength: 1, maxLength: 60 },
);

describe('gcra', () => {
  it('grants the burst at once, then one for each interval', () => {
    const ask = { ...none, intervalMs: 100, burst: 3 };
    const first = gcra(unused, { ...ask, wanted: 5 }, 1_000);
    expect(first.answer).toMatchObject({ granted: 3, left: 0, freeInMs: 100 });
    expect(gcra(first.state, { ...ask, wanted: 1 }, 1_099).answer).toMatchObject({
      granted: 0,
      freeInMs: 1,
    });
    expect(gcra(first.state, { ...ask, wanted: 9 }, 1_250).answer).toMatchObject({
      granted: 2,
      freeInMs: 50,
    });
    expect(gcra(first.state, { ...ask, wanted: 1 }, 9_000).answer).toMatchObject({
      granted: 1,
      left: 2,
    });
  });

  it('grants in no stretch of time more than the burst and what the rate gives', () => {
    fc.assert(
      fc.property(rule, steps, (limit, asks) => {
        let [state, nowMs] = [unused, 1_000_000];
        const grants: number[] = [];
        for (const { afterMs, wanted, putOff } of asks) {
          nowMs += afterMs;
          const next = gcra(state, { ...none, ...limit, wanted, putOff }, nowMs);
          state = next.state;
          for (let at = 0; at < next.answer.granted; at += 1) grants.push(nowMs);
        }
        for (const [first, fromMs] of grants.entries()) {
          const over = grants.slice(first).findIndex((toMs, at) => {
            return at + 1 > limit.burst + (toMs - fromMs) / limit.intervalMs + 1e-3;
          });
          expect(over).toBe(-1);
        }
      }),
    );
  });

  it('says truly when the next one is to be had, and not before', () => {
    fc.assert(
      fc.property(rule, steps, (limit, asks) => {
        let [state, nowMs] = [unused, 1_000_000];
        for (const { afterMs, wanted } of asks) {
          nowMs += afterMs;
          const { state: next, answer } = gcra(state, { ...none, ...limit, wanted }, nowMs);
          state = next;
          const at = (ms: number) =>
            gcra(state, { ...none, ...limit, wanted: 1 }, ms).answer.granted;
          expect(at(nowMs + answer.freeInMs + 0.01)).toBe(1);
          if (answer.left === 0 && answer.freeInMs > 0.02) {
            expect(at(nowMs + answer.freeInMs - 0.02)).toBe(0);
          }
        }
      }),
    );
  });

  it('spreads what is put off over the time in which it may be its turn, up to a bound', () => {
    const ask = { ...none, intervalMs: 100, burst: 1, maxPutOffMs: 1_000 };
    let { state, answer } = gcra(unused, { ...ask, wanted: 1, putOff: 3 }, 1_000);
    expect(answer).toMatchObject({ granted: 1, putOffInMs: 100 });
    ({ state, answer } = gcra(state, { ...ask, putOff: 9 }, 1_050));
    expect(answer.putOffInMs).toBe(350);
    ({ state, answer } = gcra(state, { ...ask, putOff: 1 }, 1_050));
    expect(answer.putOffInMs).toBe(1_000);
    ({ state, answer } = gcra(state, ask, 1_050));
    expect(answer.granted).toBe(0);
  });

  it('forgives a debt that the rule of now cannot make', () => {
    const slow = gcra(unused, { ...none, intervalMs: 3_600_000, burst: 10, wanted: 10 }, 1_000);
    const fast = { ...none, intervalMs: 10, burst: 2, wanted: 1 };
    expect(gcra(slow.state, fast, 1_000).answer).toMatchObject({ granted: 0, freeInMs: 10 });
  });

  it('shortens the turns of those that were put off when they come faster, and only once', () => {
    const slow = { ...none, intervalMs: 1_000, burst: 1 };
    const { state } = gcra(unused, { ...slow, wanted: 1, putOff: 59 }, 1_000);
    const fast = gcra(state, { ...slow, intervalMs: 10, putOff: 1 }, 1_000);
    expect(fast.answer.putOffInMs).toBe(600);
    const next = gcra(fast.state, { ...slow, intervalMs: 10, putOff: 1 }, 1_000);
    expect(next.answer.putOffInMs).toBe(610);
    // Slower again, those that were promised an early turn come too early, and are put off once more.
    expect(gcra(next.state, { ...slow, putOff: 1 }, 1_000).answer.putOffInMs).toBe(620);
  });
});
