import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { away, fakeLeases, KEY, LEASE_MS, MESSAGE } from './fake-leases.fixture.ts';
import { JobLease } from './job-lease.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function held(checkpoint?: string) {
  const leases = fakeLeases();
  const gaveUp = new AbortController();
  const onLost = vi.fn();
  const options = { leases, leaseMs: LEASE_MS, gaveUp: gaveUp.signal, key: KEY, message: MESSAGE };
  const lease = new JobLease({ ...options, checkpoint, onLost });
  const lost: string[] = [];
  lease.onLost((reason) => void lost.push(reason));
  return { leases, gaveUp, lease, lost, onLost };
}

describe('JobLease', () => {
  it('renews three times in a lease, and is lost once to whoever took it', async () => {
    const { leases, lease, lost, onLost } = held('{"at":3}');
    expect(lease.lastCheckpoint).toEqual({ at: 3 });
    await vi.advanceTimersByTimeAsync(LEASE_MS);
    expect(leases.renew).toHaveBeenCalledTimes(3);
    leases.renew.mockResolvedValue(false);
    leases.checkpoint.mockResolvedValue(false);
    await vi.advanceTimersByTimeAsync(LEASE_MS);
    await expect(lease.save(1)).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect([lost, onLost.mock.calls.length]).toEqual([['another run has taken it'], 1]);
    leases.settle.mockResolvedValue(false);
    expect((await lease.settle()).isLost).toBe(true);
  });

  it('is lost when the store did not renew it in time, but ours as long as nobody took it', async () => {
    const { leases, lease, lost } = held();
    leases.renew.mockImplementation(away);
    leases.checkpoint.mockImplementation(away);
    const saving = lease.save(1).catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(LEASE_MS + 1);
    expect(lost).toEqual(['the store did not renew it in time']);
    await expect(saving).resolves.toContain('its checkpoint could not be kept');
    leases.settle.mockImplementationOnce(away).mockImplementationOnce(away);
    const settling = lease.settle();
    await vi.advanceTimersByTimeAsync(1_000);
    const settled = await settling;
    expect(settled.isLost).toBe(false);
    expect(leases.settle).toHaveBeenCalledTimes(3);
    settled.reject();
  });

  it('is settled before anything is published, and then by its row', async () => {
    const { leases, lease } = held();
    const settled = await lease.settle();
    expect(settled).toMatchObject({
      body: MESSAGE.body,
      message: { fields: { redelivered: false }, properties: { headers: { 'x-attempt': 2 } } },
    });
    await expect(lease.save(1)).rejects.toThrow('the run is over');
    leases.moved.mockImplementationOnce(away);
    const acking = settled.ack(undefined, 'moved');
    await vi.advanceTimersByTimeAsync(100);
    await expect(acking).resolves.toBe(true);
    expect(leases.moved).toHaveBeenCalledTimes(2);
    expect([leases.ended, leases.checkpoint].flatMap(({ mock }) => mock.calls)).toEqual([]);
    const other = await held().lease.settle();
    let tell: (() => void) | undefined;
    const ending = other.ack(new Promise((resolve) => (tell = resolve)));
    await vi.advanceTimersByTimeAsync(10);
    tell?.();
    await expect(ending).resolves.toBe(true);
  });

  it('waits for no store once the worker gave up, and renews nothing more', async () => {
    const { leases, lease, gaveUp } = held();
    leases.settle.mockImplementation(away);
    const settling = lease.settle();
    await vi.advanceTimersByTimeAsync(1);
    gaveUp.abort();
    const settled = await settling;
    expect(settled.isLost).toBe(true);
    await expect(settled.ack()).resolves.toBe(false);
    expect(leases.ended).not.toHaveBeenCalled();

    const other = held();
    const moving = await other.lease.settle();
    other.gaveUp.abort();
    expect([moving.isLost, vi.getTimerCount()]).toEqual([false, 0]);
  });
});
