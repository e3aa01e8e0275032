import { setMaxListeners } from 'node:events';
import {
  CallTimeoutError,
  CircuitOpenError,
  JobTimeoutError,
  NonRetryableError,
  RetryAfterError,
  ShuttingDownError,
} from '@warren/contracts';
import { createLogger, createMetrics } from '@warren/telemetry';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Breaker } from './breaker.ts';
import type { BreakerOptions } from './breaker-options.ts';
import { Breakers } from './breakers.ts';

let breakers: Breakers;
let breaker: Breaker;
const run = new AbortController();
const { signal } = run;
setMaxListeners(0, signal);
function create(options: BreakerOptions = {}): void {
  breakers = new Breakers({
    logger: createLogger({ service: 'test', level: 'fatal' }),
    metrics: createMetrics({ service: 'test', version: '1', processMetrics: false }),
  });
  breaker = breakers.define('smtp', { volumeThreshold: 2, ...options });
}
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  breakers.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const failing = (error: unknown, from: AbortSignal = signal) =>
  breaker.fire(() => Promise.reject(error), { signal: from }).catch((thrown: unknown) => thrown);
const state = () => breaker.circuit().state;

it('hands on what the call returns or throws, and opens at failures', async () => {
  create({ volumeThreshold: 3 });
  expect(await breaker.fire(() => 7, { signal })).toBe(7);
  const error = new Error('connect ECONNREFUSED');
  expect(await failing(error)).toBe(error);
  const opened = await failing(error);
  expect(opened).toBeInstanceOf(CircuitOpenError);
  expect(opened).toMatchObject({ breaker: 'smtp', delayMs: 30_000, cause: error });
  const call = vi.fn();
  vi.advanceTimersByTime(10_000);
  await expect(breaker.fire(call, { signal })).rejects.toMatchObject({ delayMs: 20_000 });
  expect(call).not.toHaveBeenCalled();
});

const aborted = (reason: unknown) => AbortSignal.abort(reason);

describe('what never counts', () => {
  it.each([
    new NonRetryableError('no such recipient'),
    new RetryAfterError(1_000),
    Object.assign(new Error('Semaphore locked'), { code: 'ESEMLOCKED' }),
    new CircuitOpenError({ breaker: 'other', delayMs: 1 }),
  ])('%s', async (error) => {
    create({ isFailure: () => true });
    for (let round = 0; round < 10; round += 1) expect(await failing(error)).toBe(error);
    expect(state()).toBe('closed');
  });

  it('what the handler says does not', async () => {
    create({ isFailure: (error) => (error as Error).message !== '451' });
    for (let round = 0; round < 10; round += 1) await failing(new Error('451'));
    expect(state()).toBe('closed');
  });

  it('aborts by a shutdown; those by the timeout of the handler do', async () => {
    create();
    const during = async (reason: unknown) => {
      const own = new AbortController();
      const call = breaker.fire(
        (its) =>
          new Promise((_, reject) =>
            its.addEventListener('abort', () => reject(new Error('stopped'))),
          ),
        { signal: own.signal },
      );
      await vi.advanceTimersByTimeAsync(0);
      own.abort(reason);
      await call.catch(() => undefined);
    };
    for (let round = 0; round < 10; round += 1) await during(new ShuttingDownError('email'));
    expect(state()).toBe('closed');
    for (let round = 0; round < 2; round += 1) await during(new JobTimeoutError('email', 1));
    expect(state()).toBe('open');
  });

  it('a rule that throws excuses nothing, and a thrown undefined is a failure', async () => {
    create({
      isFailure() {
        throw new Error('a fault of its own');
      },
    });
    await failing(undefined);
    await failing(undefined);
    expect(state()).toBe('open');
  });
});

it('makes no call for a run that has been aborted, also while it asked for leave', async () => {
  create();
  const call = vi.fn();
  const reason = new Error('gone');
  await expect(breaker.fire(call, { signal: aborted(reason) })).rejects.toBe(reason);
  const own = new AbortController();
  const asked = breaker.fire(call, { signal: own.signal });
  own.abort(reason);
  await expect(asked).rejects.toBe(reason);
  expect(breaker.circuit().inHand).toBe(0);
  expect(call).not.toHaveBeenCalled();
});

describe('a call over its timeout', () => {
  it('has its own signal aborted, is waited for, and counts; others go on', async () => {
    create({ timeout: '1s', volumeThreshold: 10 });
    const ended: string[] = [];
    const slow = (name: string, ms: number) => (its: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        setTimeout(() => {
          ended.push(its.aborted ? `${name} aborted` : name);
          if (its.aborted) reject(new Error('stopped'));
          else resolve(name);
        }, ms);
      });
    const late = breaker.fire(slow('late', 3_000), { signal });
    const settled = vi.fn();
    late.then(settled, settled);
    await vi.advanceTimersByTimeAsync(500);
    const other = breaker.fire(slow('other', 900), { signal });
    await vi.advanceTimersByTimeAsync(2_400);
    expect(await other).toBe('other');
    expect(settled).not.toHaveBeenCalled();
    const failed = expect(late).rejects.toThrow(CallTimeoutError);
    await vi.advanceTimersByTimeAsync(200);
    await failed;
    expect(ended).toEqual(['other', 'late aborted']);
  });
});

it('a healthy dependency with room for 5 and 50 callers is never cut off', async () => {
  create({ capacity: 5, volumeThreshold: 1, errorThresholdPercentage: 1 });
  let atOnce = 0;
  let most = 0;
  const calls = Array.from({ length: 50 }, () =>
    breaker.fire(
      async () => {
        most = Math.max(most, ++atOnce);
        await new Promise((resolve) => setTimeout(resolve, 10));
        atOnce -= 1;
      },
      { signal },
    ),
  );
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(calls);
  expect([most, state(), breaker.circuit().listenerCount]).toEqual([5, 'closed', 0]);
});

it('leaves no listener on the signal of a run', async () => {
  create({ timeout: '1s' });
  const own = new AbortController();
  const add = vi.spyOn(own.signal, 'addEventListener');
  const remove = vi.spyOn(own.signal, 'removeEventListener');
  for (let round = 0; round < 100; round += 1) await breaker.fire(() => 1, { signal: own.signal });
  expect(add).toHaveBeenCalledTimes(100);
  expect(remove).toHaveBeenCalledTimes(100);
});
