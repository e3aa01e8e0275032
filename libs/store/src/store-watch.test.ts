import { StoreUnavailableError } from '@warren/contracts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StoreWatch } from './store-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tells what the store last said, and asks no more once it is closed', async () => {
  const state = { isAway: true, asked: 0 };
  const watch = new StoreWatch({
    async ping() {
      state.asked += 1;
      if (state.isAway) throw new StoreUnavailableError('gone');
    },
  });
  expect(watch.check).toBe('not asked yet');
  watch.start();
  await vi.advanceTimersByTimeAsync(1);
  expect(watch.check).toBe('the store does not answer: gone');
  state.isAway = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(watch.check).toBe('ok');
  watch.close();
  const { asked } = state;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(state.asked).toBe(asked);
});
