import { quietTelemetry } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aMessage } from './a-message.fixture.ts';
import { heldDelivery } from './held-delivery.fixture.ts';
import { MemoryClaims } from './memory-claims.fixture.ts';
import { OnceGate } from './once-gate.ts';

const LEASE_MS = 30_000;
const message = aMessage({ id: 'j' });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function gate() {
  const claims = new MemoryClaims();
  const settler = { settle: vi.fn(), postpone: vi.fn(), release: vi.fn() };
  const onceClaimed = vi.fn();
  const { logger, lines } = quietTelemetry();
  const once = new OnceGate({
    claims,
    owner: 'w',
    queue: 'a.b',
    leaseMs: LEASE_MS,
    settler,
    metrics: { onceClaimed },
    logger,
  });
  return { claims, once, settler, lines, onceClaimed, ...heldDelivery() };
}

describe('OnceGate', () => {
  it('gives a lease with its token, and nothing to another while that lasts', async () => {
    const { once, delivery, settler, onceClaimed } = gate();
    const lease = await once.enter(delivery, message);
    expect(lease?.token).toBe(1);
    await expect(once.enter(delivery, message)).resolves.toBeUndefined();
    expect(settler.postpone).toHaveBeenCalledExactlyOnceWith(delivery, message, {
      delayMs: LEASE_MS,
    });
    await vi.advanceTimersByTimeAsync(LEASE_MS - 5);
    await once.enter(delivery, message);
    expect(settler.postpone.mock.lastCall?.[2]).toEqual({ delayMs: 1_000 });
    expect(onceClaimed.mock.calls.flat()).toEqual(['claimed', 'busy', 'busy']);
    await lease?.release();
  });

  it('completes what is done with the result that was kept', async () => {
    const { once, claims, delivery, settler } = gate();
    await claims.claim({ id: 'j', leaseMs: LEASE_MS });
    await claims.complete({ id: 'j', token: 1, result: { n: 1 } });
    await expect(once.enter(delivery, message)).resolves.toBeUndefined();
    expect(settler.settle).toHaveBeenCalledExactlyOnceWith(
      delivery,
      message,
      { kind: 'complete' },
      { run: '', durationMs: 0, outcome: { kind: 'succeeded', result: { n: 1 } } },
    );
  });

  it('settles a delivery that may not run only where its claim has more to say, and keeps no lease', async () => {
    const { once, claims, delivery, settler } = gate();
    await expect(once.settles(delivery, { ...message, id: undefined })).resolves.toBe(false);
    await expect(once.settles(delivery, message)).resolves.toBe(false);
    const lease = await once.enter(delivery, message);
    await expect(once.settles(delivery, message)).resolves.toBe(true);
    expect(settler.postpone).toHaveBeenCalledOnce();
    await claims.complete({ id: 'j', token: lease?.token ?? 0, result: 1 });
    await expect(once.settles(delivery, message)).resolves.toBe(true);
    expect(settler.settle).toHaveBeenCalledOnce();
    await lease?.release();
  });

  it('gives jobs back while the store is away, ever more slowly, and says so once', async () => {
    const { once, claims, delivery, settler, lines } = gate();
    claims.failing = true;
    const givenBackAfterMs: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      const startedAtMs = Date.now();
      const entering = once.enter(delivery, message);
      await vi.runAllTimersAsync();
      await expect(entering).resolves.toBeUndefined();
      givenBackAfterMs.push(Date.now() - startedAtMs);
    }
    expect(givenBackAfterMs.slice(0, 3)).toEqual([250, 500, 1_000]);
    expect(givenBackAfterMs.at(-1)).toBe(30_000);
    expect(settler.release).toHaveBeenCalledTimes(10);
    expect([settler.settle, settler.postpone].flatMap(({ mock }) => mock.calls)).toEqual([]);
    expect(lines).toHaveLength(1);
    claims.failing = false;
    const lease = await once.enter(delivery, message);
    expect(lease?.token).toBe(1);
    await lease?.release();
  });

  it('waits no longer when the worker stops', async () => {
    const { once, claims, delivery, settler } = gate();
    claims.failing = true;
    const entering = once.enter(delivery, message);
    await vi.advanceTimersByTimeAsync(1);
    once.stop();
    await expect(entering).resolves.toBeUndefined();
    expect(settler.release).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });
});
