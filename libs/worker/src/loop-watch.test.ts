import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LoopWatch } from './loop-watch.ts';

let watch: LoopWatch;
beforeEach(() => {
  vi.useFakeTimers();
  watch = new LoopWatch();
  watch.start();
});
afterEach(() => {
  watch.stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Time goes by and no timer fires. */
function block(forMs: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + forMs);
}

it('tells nothing of an event loop that turns', () => {
  vi.advanceTimersByTime(60_000);
  expect(watch.stoodStill()).toBe(false);
});

it('tells at once of one that stood still, and for five seconds', () => {
  vi.advanceTimersByTime(10_000);
  block(2_000);
  expect(watch.stoodStill()).toBe(true);
  vi.advanceTimersByTime(4_000);
  expect(watch.stoodStill()).toBe(true);
  vi.advanceTimersByTime(2_000);
  expect(watch.stoodStill()).toBe(false);
});

it('does not mind a short pause, such as a garbage collection makes', () => {
  vi.advanceTimersByTime(10_000);
  block(500);
  expect(watch.stoodStill()).toBe(false);
});

it('leaves no timer behind', () => {
  watch.stop();
  expect(vi.getTimerCount()).toBe(0);
});
