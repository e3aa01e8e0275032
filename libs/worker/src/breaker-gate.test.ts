import { Breakers } from '@warren/breaker';
import { CircuitOpenError, type Job } from '@warren/contracts';
import type { Outcome } from '@warren/retry';
import { quietTelemetry } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aMessage } from './a-message.fixture.ts';
import { BreakerGate } from './breaker-gate.ts';
import { heldDelivery } from './held-delivery.fixture.ts';

const message = aMessage();
const failed: Outcome = { kind: 'failed', error: new Error('connect ECONNREFUSED') };
const succeeded: Outcome = { kind: 'succeeded', result: 1 };
const jobOf = (host: unknown) => ({ id: 'j', queue: 'a.b', payload: { host } }) as unknown as Job;

let breakers: Breakers;
let gate: BreakerGate;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  gate.stop();
  breakers.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function create(kind: 'none' | 'around' | 'keyed') {
  const { logger, metrics, lines } = quietTelemetry();
  breakers = new Breakers({ logger, metrics });
  const breaker = breakers.define('smtp', { volumeThreshold: 2 });
  const settler = { postpone: vi.fn(), release: vi.fn() };
  const onOpen = vi.fn();
  const onHeldTooLong = vi.fn();
  const keyOf = ({ payload }: Job) => (payload as { host: string }).host;
  const guard = { breaker, ...(kind === 'keyed' && { keyOf }) };
  gate = new BreakerGate({
    breakers,
    guard: kind === 'none' ? undefined : guard,
    jobType: 'mail.send',
    settler,
    logger,
    onOpen,
    onHeldTooLong,
  });
  const enter = (host: unknown = 'a', held = heldDelivery()) =>
    Promise.resolve(gate.enter(held.delivery, message, jobOf(host)));
  const run = async (outcome: Outcome, host?: unknown) => (await enter(host))?.end(outcome);
  const open = async (host?: unknown) => {
    await run(failed, host);
    return run(failed, host);
  };
  return { breaker, settler, onOpen, onHeldTooLong, enter, run, open, lines };
}

it('lets everything through where there is no breaker', async () => {
  const { enter } = create('none');
  const passages = await Promise.all(Array.from({ length: 20 }, () => enter()));
  for (const one of passages) expect(await one?.end(failed)).toBe(failed);
});

describe('around a handler', () => {
  it('the failure that opens it becomes the dependency’s; what comes then is held, and one is tried', async () => {
    const { enter, run, onOpen, settler, breaker } = create('around');
    expect(await run(failed)).toBe(failed);
    const opened = await run(failed);
    expect(opened).toMatchObject({ kind: 'failed', error: { code: 'CIRCUIT_OPEN' } });
    expect(onOpen.mock.calls).toEqual([[true]]);
    const entered: string[] = [];
    const waiting = ['one', 'two', 'three'].map(async (name) => {
      const passage = await enter();
      entered.push(name);
      return passage;
    });
    await vi.advanceTimersByTimeAsync(29_000);
    expect([entered, gate.held]).toEqual([[], 3]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([entered, gate.held]).toEqual([['one'], 2]);
    expect(onOpen.mock.lastCall).toEqual([false]);
    const [first, second, third] = waiting;
    expect(await (await first)?.end(failed)).toMatchObject({ error: { code: 'CIRCUIT_OPEN' } });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(entered).toEqual(['one', 'two']);
    await (await second)?.end(succeeded);
    await (await third)?.end(succeeded);
    expect([breaker.circuit().state, settler.release.mock.calls.length]).toEqual(['closed', 0]);
    expect(entered).toEqual(['one', 'two', 'three']);
  });

  it('leave that was got and not used lets another be tried', async () => {
    const { enter, open } = create('around');
    await open();
    await vi.advanceTimersByTimeAsync(30_000);
    const first = await enter();
    const second = enter();
    await vi.advanceTimersByTimeAsync(0);
    expect(gate.held).toBe(1);
    await first?.leave();
    await first?.leave();
    expect(await (await second)?.end(succeeded)).toBe(succeeded);
  });

  it('what is held is given back when it is asked for, lost or stopped, and it says when it is time', async () => {
    const { enter, open, settler, onHeldTooLong } = create('around');
    await open();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(onHeldTooLong).not.toHaveBeenCalled();
    breakers.force({ smtp: 'open' });
    const [given, lost] = [heldDelivery(), heldDelivery()];
    const waiting = [enter('a', given), enter('a', lost)];
    await vi.advanceTimersByTimeAsync(1);
    expect(onHeldTooLong).toHaveBeenCalledTimes(1);
    lost.lose();
    expect(await waiting[1]).toBeUndefined();
    gate.releaseHeld();
    expect(await waiting[0]).toBeUndefined();
    expect(settler.release.mock.calls.map(([delivery]) => delivery as unknown)).toEqual([
      lost.delivery,
      given.delivery,
    ]);
    const last = enter();
    gate.stop();
    expect([await last, await enter(), gate.held]).toEqual([undefined, undefined, 0]);
  });

  it('a call within the handler through the same breaker is not asked again', async () => {
    const { enter, open, breaker } = create('around');
    await open();
    await vi.advanceTimersByTimeAsync(30_000);
    const passage = await enter();
    const { signal } = new AbortController();
    expect(await passage?.fire('smtp', undefined, () => 7, signal)).toBe(7);
    await expect(passage?.fire('sms', undefined, () => 7, signal)).rejects.toThrow('no "sms"');
    await passage?.end(succeeded);
    expect(breaker.circuit().state).toBe('closed');
  });
});

it('by key: those of one that is open come back later, others go on, and nothing pauses', async () => {
  const { enter, open, settler, onOpen, lines } = create('keyed');
  await open('down');
  expect(await enter('down')).toBeUndefined();
  expect(settler.postpone.mock.lastCall?.[2]).toMatchObject({ delayMs: 30_000 });
  expect(await (await enter('up'))?.end(succeeded)).toBe(succeeded);
  await vi.advanceTimersByTimeAsync(30_000);
  const tried = await enter('down');
  expect(await enter('down')).toBeUndefined();
  expect(settler.postpone.mock.lastCall?.[2]).toMatchObject({ delayMs: 1_000 });
  await tried?.end(succeeded);
  expect(onOpen).not.toHaveBeenCalled();
  await (await enter(7))?.end(succeeded);
  expect(lines.at(-1)).toMatchObject({ job_id: 'j', queue: 'a.b' });
});

it('learns of a circuit around calls when a handler ends because of it', async () => {
  const { enter, run, onOpen, breaker } = create('none');
  const { signal } = new AbortController();
  const call = () =>
    breaker
      .fire(() => Promise.reject(new Error('down')), { signal })
      .catch((error: unknown) => error);
  await call();
  const error = await call();
  expect(error).toBeInstanceOf(CircuitOpenError);
  await run({ kind: 'failed', error });
  expect(onOpen.mock.calls).toEqual([[true]]);
  const [first, second] = [enter(), enter()];
  await vi.advanceTimersByTimeAsync(30_000);
  expect(gate.held).toBe(1);
  await breaker.fire(() => 1, { signal });
  await (await first)?.end(succeeded);
  await (await second)?.end(succeeded);
});
