import { quietTelemetry } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { away, fakeLeases, LEASE_MS, MESSAGE } from './fake-leases.fixture.ts';
import { LeaseSweep } from './lease-sweep.ts';
import type { ExpiredLease } from './leases-port.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function sweeping({ isSuspectQueue = false } = {}) {
  const leases = fakeLeases();
  const settler = { release: vi.fn(async () => {}), refuse: vi.fn(async () => {}) };
  const leasesKept = vi.fn();
  const { logger, lines } = quietTelemetry();
  const from = isSuspectQueue ? 'a.b.suspect' : 'a.b';
  const sweep = new LeaseSweep({
    terms: { leases, leaseMs: LEASE_MS, gaveUp: new AbortController().signal },
    owner: 'w',
    queue: 'a.b',
    from,
    isSuspectQueue,
    settler,
    metrics: { leasesKept },
    logger,
    random: () => 0.5,
  });
  sweep.start();
  return { sweep, leases, settler, leasesKept, lines };
}

const expired = (crashes: number): ExpiredLease => ({ token: 1, crashes, message: MESSAGE });

describe('LeaseSweep', () => {
  it('publishes what it finds again, and runs apart or buries what died too often', async () => {
    const { sweep, leases, settler, leasesKept } = sweeping();
    leases.expired.mockResolvedValueOnce([expired(0), expired(1), expired(2)]);
    leases.counts.mockResolvedValue([
      { queue: 'a.b', from: 'a.b.suspect', running: 9, expired: 9 },
      { queue: 'a.b', from: 'a.b', running: 3, expired: 1 },
    ]);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    expect(leases.expired.mock.calls).toEqual([
      [{ queue: 'a.b', from: 'a.b', owner: 'w', leaseMs: LEASE_MS, limit: 50 }],
    ]);
    const released = settler.release.mock.calls as unknown as [unknown, { attempt: number }][];
    expect(released.map(([, { attempt }]) => attempt)).toEqual([2, 2]);
    expect(settler.refuse).toHaveBeenCalledExactlyOnceWith(
      expect.anything(),
      expect.objectContaining({ id: 'j', returns: 2 }),
      { kind: 'suspect' },
    );
    expect(leasesKept).toHaveBeenLastCalledWith(expect.objectContaining({ running: 3 }));
    await sweep.stop();
    const suspects = sweeping({ isSuspectQueue: true });
    suspects.leases.expired.mockResolvedValueOnce([expired(2), expired(3)]);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    expect(suspects.settler.release).toHaveBeenCalledOnce();
    expect(suspects.settler.refuse.mock.lastCall).toContainEqual({
      kind: 'dead-letter',
      reason: 'poison',
    });
    await suspects.sweep.stop();
  });

  it('gives others time to renew after the store was away, and says so', async () => {
    const { sweep, leases, lines } = sweeping();
    leases.expired.mockImplementationOnce(away).mockImplementationOnce(away);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    await vi.advanceTimersByTimeAsync(1.5 * LEASE_MS - 1);
    expect(leases.expired).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(leases.expired).toHaveBeenCalledTimes(2);
    expect(lines.filter(({ level }) => level === 'error')).not.toEqual([]);
    await sweep.stop();
  });

  it('lets a process that stood still renew its own first', async () => {
    const { sweep, leases } = sweeping();
    const stoodStill = vi.spyOn(performance, 'now').mockReturnValueOnce(1e12);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    expect(leases.expired).not.toHaveBeenCalled();
    stoodStill.mockRestore();
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    expect(leases.expired).toHaveBeenCalledOnce();
    await sweep.stop();
  });
});
