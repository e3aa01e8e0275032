import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DepthWatch } from './depth-watch.ts';

const QUEUE = 'email.send';
const MAX = 10;

let asked: string[];
let ready: number | undefined;
let watch: DepthWatch;
beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  ready = 0;
  watch = new DepthWatch({
    ask: async (queue) => {
      asked.push(queue);
      if (ready === Number.POSITIVE_INFINITY) return new Promise(() => {});
      if (ready === -1) throw new Error('away');
      return ready;
    },
    nowMs: () => performance.now(),
  });
});
afterEach(() => void vi.useRealTimers());

const refusal = () => watch.refusal(QUEUE, MAX);
const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('DepthWatch', () => {
  it('asks before the first publish, and then at most once a second, however many come', async () => {
    const first = await Promise.all([refusal(), refusal(), refusal()]);
    expect(first).toEqual([undefined, undefined, undefined]);
    for (let n = 0; n < 1_000; n += 1) {
      expect(refusal()).toBeUndefined();
      await later(3);
    }
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it('has one that may go on not wait for what is asked beside it', async () => {
    await refusal();
    await later(1_500);
    ready = MAX;
    expect(refusal()).toBeUndefined();
    await later(0);
    expect(refusal()).toMatchObject({ code: 'QUEUE_FULL', queue: QUEUE, depth: MAX });
    expect(asked).toHaveLength(2);
  });

  it('waits for the answer where nothing was known for a while', async () => {
    await refusal();
    await later(6_000);
    ready = MAX + 1;
    const answer = refusal();
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toMatchObject({ depth: MAX + 1 });
  });

  it('lets jobs in again as soon as it learns that there is room, and does not refuse by old figures', async () => {
    ready = MAX;
    expect(await refusal()).toBeDefined();
    expect(refusal()).toMatchObject({ code: 'QUEUE_FULL' });
    ready = MAX - 1;
    await later(1_001);
    expect(await refusal()).toBeUndefined();
  });

  it.each([
    ['there is no such queue', undefined],
    ['the broker cannot be asked', -1],
    ['it does not answer', Number.POSITIVE_INFINITY],
  ])('refuses nothing where %s, and asks again a second later', async (_, answer) => {
    ready = answer;
    const first = refusal();
    await later(1_000);
    expect(await first).toBeUndefined();
    expect(refusal()).toBeUndefined();
    expect(asked).toHaveLength(1);
    ready = MAX;
    await later(1_001);
    expect(refusal()).toBeUndefined();
    await later(0);
    expect(refusal()).toMatchObject({ code: 'QUEUE_FULL' });
  });

  it('knows each queue by itself', async () => {
    ready = MAX;
    expect(await refusal()).toBeDefined();
    ready = 0;
    expect(await watch.refusal('email.send.high', MAX)).toBeUndefined();
    expect(asked).toEqual([QUEUE, 'email.send.high']);
  });
});
