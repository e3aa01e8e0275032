import { Breakers } from '@warren/breaker';
import type { Job } from '@warren/contracts';
import { type LimitAnswer, type LimitRequest, Limits } from '@warren/limiter';
import { quietTelemetry } from '@warren/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aMessage } from './a-message.fixture.ts';
import { heldDelivery } from './held-delivery.fixture.ts';
import { LimitGate } from './limit-gate.ts';
import { Passage } from './passage.ts';

const message = aMessage();
const rule = { intervalMs: 100, burst: 1 };
const jobOf = (tenant: string) =>
  ({ id: 'j', queue: 'a.b', payload: { tenant } }) as unknown as Job;
const isFree = { granted: 1, left: 1, freeInMs: 0, putOffInMs: 0 };
const isFull = (freeInMs: number): LimitAnswer => ({
  granted: 0,
  left: 0,
  freeInMs,
  putOffInMs: freeInMs,
});

let gate: LimitGate;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  gate.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function create({ isKeyed = false, maxHeld }: { isKeyed?: boolean; maxHeld?: number } = {}) {
  const { logger, metrics, lines } = quietTelemetry();
  const answer = vi.fn<() => LimitAnswer | Promise<never>>(() => isFree);
  const ask = (requests: readonly LimitRequest[]) =>
    Promise.all(requests.map(() => Promise.resolve(answer())));
  const limits = new Limits({ global: { ask }, logger, metrics });
  const limit = limits.define('crm', { scope: 'global', rule, rules: new Map() });
  const settler = { postpone: vi.fn(), release: vi.fn() };
  const held = new Map<string, number>();
  const bound = { maxHeld };
  const seen = {
    putBack: vi.fn(),
    shed: vi.fn(),
    onFree: vi.fn(),
    onPause: vi.fn(),
    onHeldTooLong: vi.fn(),
  };
  const left = vi.fn();
  const breakers = new Breakers({ logger, metrics });
  gate = new LimitGate({
    limit,
    keyOf: isKeyed ? ({ payload }) => (payload as { tenant: string }).tenant : undefined,
    inner: {
      enter: () => new Passage({ breakers, leave: undefined, onEnd: left }),
      stop: () => {},
    },
    settler,
    logger,
    maxHeld: () => bound.maxHeld,
    waiting: (key) => held.get(key) ?? 0,
    waitingWhere: (test) =>
      [...held].reduce((sum, [key, count]) => sum + (test(key) ? count : 0), 0),
    ...seen,
  });
  const enter = async (tenant = '', { delivery } = heldDelivery()) => {
    gate.begin(delivery, tenant);
    const entered = gate.enter(delivery, message, jobOf(tenant));
    // Whoever is put off is asked for a second time.
    for (let turn = 0; turn < 4; turn += 1) await vi.advanceTimersByTimeAsync(1);
    return entered;
  };
  return { answer, settler, seen, held, bound, left, limits, enter, lines };
}

it('lets a job run that is granted; any other waits outside its slot until the limit said', async () => {
  const { answer, seen, left, enter } = create();
  expect(await enter()).toBeInstanceOf(Passage);
  answer.mockReturnValue(isFull(40));
  const waits = heldDelivery();
  expect(await enter('', waits)).toBeUndefined();
  expect(seen.putBack.mock.calls).toEqual([[waits.delivery]]);
  expect([left.mock.calls.length, gate.mayStart('')]).toEqual([1, false]);
  await vi.advanceTimersByTimeAsync(30);
  expect(seen.onFree).not.toHaveBeenCalled();
  // One may ask then, and no more until it has its answer.
  seen.onFree.mockImplementation(() => gate.begin(waits.delivery, ''));
  await vi.advanceTimersByTimeAsync(10);
  expect([seen.onFree.mock.calls.length, gate.mayStart('')]).toEqual([1, false]);
  gate.end(waits.delivery);
  expect(gate.mayStart('')).toBe(true);
});

it('stops fetching where all have to wait for long, and puts none off', async () => {
  const { answer, seen, settler, enter } = create();
  answer.mockReturnValue(isFull(60_000));
  await enter();
  expect(seen.onPause).toHaveBeenLastCalledWith(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.onPause).toHaveBeenLastCalledWith(false);
  expect([settler.postpone.mock.calls, settler.release.mock.calls]).toEqual([[], []]);
});

it('by key: puts off what would wait for long, holds what would not, and never pauses', async () => {
  const { answer, seen, settler, held, enter } = create({ isKeyed: true, maxHeld: 5 });
  answer.mockReturnValue(isFull(60_000));
  await enter('a');
  expect(settler.postpone.mock.lastCall?.[2]).toEqual({ delayMs: 60_000 });
  expect([gate.mayStart('a'), gate.mayStart('b')]).toEqual([false, true]);
  answer.mockReturnValue(isFull(200));
  await enter('b');
  expect(seen.putBack).toHaveBeenCalledTimes(1);
  // Others of its key in hand come before it; or as many wait as may.
  for (const count of [49, 5]) {
    held.set('b', count);
    await enter('b');
    expect(settler.postpone.mock.lastCall?.[2]).toEqual({ delayMs: 1_000 });
  }
  expect(seen.shed.mock.calls).toEqual([['b', 5]]);
  expect(seen.onPause).not.toHaveBeenCalledWith(true);
});

it('holds as many as may be held at that moment, of all keys that have to wait', async () => {
  const { answer, seen, settler, held, bound, enter } = create({ isKeyed: true, maxHeld: 5 });
  answer.mockReturnValue(isFull(200));
  await enter('a');
  held.set('a', 1).set('has not asked', 50);
  await enter('b');
  expect([seen.putBack.mock.calls.length, settler.postpone.mock.calls.length]).toEqual([2, 0]);
  // An operator has fewer fetched.
  bound.maxHeld = 1;
  await enter('b');
  expect([seen.putBack.mock.calls.length, settler.postpone.mock.calls.length]).toEqual([2, 1]);
});

it('while nobody answers, asks ever more rarely for one at a time; then goes on', async () => {
  const { answer, seen, settler, enter, lines } = create({ isKeyed: true, maxHeld: 5 });
  answer.mockImplementation(() => Promise.reject(new Error('away')));
  let asked = 0;
  seen.onFree.mockImplementation(() => {
    if (!gate.mayStart('a')) return;
    asked += 1;
    void enter('a');
  });
  await enter('a');
  expect([gate.mayStart('a'), gate.mayStart('b')]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toBeGreaterThan(7);
  expect(asked).toBeLessThan(12);
  expect(seen.onHeldTooLong).toHaveBeenCalled();
  expect(settler.postpone).not.toHaveBeenCalled();
  expect(lines.filter(({ limiter }) => limiter === 'crm')).toHaveLength(1);
  answer.mockReset().mockReturnValue(isFree);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(gate.mayStart('b')).toBe(true);
  expect(seen.onPause).toHaveBeenLastCalledWith(false);
});

it('forgets what it knew when an operator changes the rule, and holds nothing once it is stopped', async () => {
  const { answer, seen, settler, limits, enter } = create();
  answer.mockReturnValue(isFull(60_000));
  await enter();
  limits.override({ crm: { rate: 10, per: '1s' } });
  expect([gate.mayStart(''), seen.onPause.mock.lastCall]).toEqual([true, [false]]);
  gate.stop();
  const last = heldDelivery();
  await enter('', last);
  expect(settler.release.mock.lastCall?.[0]).toBe(last.delivery);
});
