import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HeldAcks } from './held-acks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function holding() {
  const done: string[] = [];
  return { done, held: new HeldAcks<string>((item) => void done.push(item)) };
}

it('lets go of all that one promise holds, and of nothing else', async () => {
  const { done, held } = holding();
  let resolve = () => {};
  const batch = new Promise<void>((settle) => {
    resolve = settle;
  });
  held.hold(batch, 'a');
  held.hold(batch, 'b');
  held.hold(new Promise(() => {}), 'c');
  expect(vi.getTimerCount()).toBe(2);
  resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['a', 'b']);
  expect(vi.getTimerCount()).toBe(1);
});

it('waits a second at most, and once: a promise that settles later does nothing more', async () => {
  const { done, held } = holding();
  let reject = (_: Error) => {};
  const late = new Promise<void>((_, fail) => {
    reject = fail;
  });
  held.hold(late, 'a');
  const letGo = held.whenLetGo();
  await vi.advanceTimersByTimeAsync(1_000);
  await letGo;
  reject(new Error('too late'));
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['a']);
});

it('holds what comes for a promise that is over, for a moment only', async () => {
  const { done, held } = holding();
  const over = Promise.resolve();
  held.hold(over, 'a');
  await held.whenLetGo();
  held.hold(over, 'b');
  await held.whenLetGo();
  expect(done).toEqual(['a', 'b']);
});

it('does not take what is held anew by a promise for what it had let go before', async () => {
  const { done, held } = holding();
  let resolve = () => {};
  const slow = new Promise<void>((settle) => {
    resolve = settle;
  });
  held.hold(slow, 'a');
  await vi.advanceTimersByTimeAsync(1_000);
  held.hold(slow, 'b');
  resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['a', 'b']);
});
