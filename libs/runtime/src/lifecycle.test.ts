import { ShuttingDownError } from '@warren/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StopTimeoutError } from './deadline.ts';
import { CLOSING_MS, createLifecycle, type LifecycleSteps } from './lifecycle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const never = () => new Promise<void>(() => undefined);

function create(steps: Partial<LifecycleSteps> = {}) {
  const ran: string[] = [];
  const lifecycle = createLifecycle({
    name: 'email',
    graceMs: 10_000,
    start: async () => void ran.push('start'),
    quiesce: async () => void ran.push('quiesce'),
    drain: async () => void ran.push('drain'),
    ...steps,
  });
  return { ...lifecycle, ran };
}

/** Settles to the error of a promise that must reject; attached at once, so that nothing is unhandled. */
const failure = (promise: Promise<void>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => error,
  );

describe('createLifecycle', () => {
  test('starts, then stops in two phases', async () => {
    const { start, stop, ran } = create();
    await start();
    await stop();
    expect(ran).toEqual(['start', 'quiesce', 'drain']);
  });

  test('twice and at once: each step once, one promise', async () => {
    const { start, stop, ran } = create();
    expect(start()).toBe(start());
    await start();
    expect(stop()).toBe(stop());
    await Promise.all([stop(), stop()]);
    await stop();
    expect(ran).toEqual(['start', 'quiesce', 'drain']);
  });

  test('stop before start: nothing runs, and start is refused', async () => {
    const { start, stop, ran } = create();
    await stop();
    await expect(start()).rejects.toThrow(ShuttingDownError);
    expect(ran).toEqual([]);
  });

  test('stop during start aborts it, then runs both phases', async () => {
    const { start, stop, ran } = create({
      start: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    const started = failure(start());
    await stop();
    expect(await started).toBeInstanceOf(ShuttingDownError);
    expect(ran).toEqual(['quiesce', 'drain']);
  });

  test('a start that ends well after stop still counts as refused', async () => {
    let finish = () => {};
    const { start, stop, ran } = create({
      start: () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    });
    const started = failure(start());
    const stopped = stop();
    finish();
    await stopped;
    expect(await started).toBeInstanceOf(ShuttingDownError);
    expect(ran).toEqual(['quiesce', 'drain']);
  });

  test('a start that ignores its signal is awaited for half the grace time', async () => {
    const { start, stop, ran } = create({ start: never });
    void start();
    const stopped = failure(stop());
    await vi.advanceTimersByTimeAsync(4_999);
    expect(ran).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await stopped).toMatchObject({ message: 'email: start did not end within 5000 ms' });
    expect(ran).toEqual(['quiesce', 'drain']);
  });

  test('a failed start can be stopped, so that what it opened is closed', async () => {
    const { start, stop, ran } = create({ start: () => Promise.reject(new Error('half-way')) });
    await expect(start()).rejects.toThrow('half-way');
    await stop();
    expect(ran).toEqual(['quiesce', 'drain']);
  });

  test('a first phase that hangs is cut off at half the time, the second gets the rest', async () => {
    const drain = vi.fn(async (_remainingMs: number) => undefined);
    const { start, stop } = create({ quiesce: never, drain });
    await start();
    const stopped = failure(stop());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(drain).toHaveBeenCalledExactlyOnceWith(5_000);
    expect(await stopped).toBeInstanceOf(StopTimeoutError);
  });

  test('a second phase that hangs is cut off after the grace time and the time to close', async () => {
    const { start, stop } = create({ drain: never });
    await start();
    const settled = vi.fn();
    const stopped = failure(stop()).then((error) => {
      settled();
      return error;
    });
    await vi.advanceTimersByTimeAsync(10_000 + CLOSING_MS - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await stopped).toMatchObject({ message: 'email: drain did not end within 13000 ms' });
  });

  test('a phase that throws, even at once, does not keep the next from running', async () => {
    const { start, stop, ran } = create({
      quiesce: () => {
        throw new Error('first');
      },
    });
    await start();
    await expect(stop()).rejects.toThrow('first');
    expect(ran).toEqual(['start', 'drain']);
  });
});
