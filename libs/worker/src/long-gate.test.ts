import { quietTelemetry } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aMessage } from './a-message.fixture.ts';
import { away, fakeLeases, LEASE_MS, MESSAGE } from './fake-leases.fixture.ts';
import { heldDelivery } from './held-delivery.fixture.ts';
import { LongGate } from './long-gate.ts';

const TAKEN = { kind: 'taken', token: 7, crashes: 0, checkpoint: undefined } as const;
const message = aMessage({ id: 'j' });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function gate() {
  const leases = fakeLeases();
  const settler = { refuse: vi.fn(), postpone: vi.fn(), release: vi.fn() };
  const leased = vi.fn();
  const { logger, lines } = quietTelemetry();
  const long = new LongGate({
    leases,
    owner: 'w',
    queue: 'a.b',
    isSuspectQueue: false,
    leaseMs: LEASE_MS,
    routes: { toQueue: () => ({ exchange: 'jobs.due', routingKey: 'a.b', headers: {} }) },
    settler,
    metrics: { leased },
    logger,
  });
  const ack = vi.fn();
  const deliver = () => {
    const { delivery, lose } = heldDelivery();
    const { body, properties } = MESSAGE;
    return { delivery: Object.assign(delivery, { ack, body, message: { properties } }), lose };
  };
  const requests = () => leases.take.mock.calls.map(([{ request }]) => request);
  return { leases, long, settler, leased, lines, ack, deliver, requests };
}

describe('LongGate', () => {
  it('asks again where no answer comes at all, well before the lease would be over', async () => {
    const { long, leases, deliver, settler, requests } = gate();
    leases.take.mockImplementationOnce(() => new Promise(() => {})).mockResolvedValue(TAKEN);
    const entering = long.enter(deliver().delivery, message);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
    const lease = await entering;
    expect(lease?.isLost).toBe(false);
    expect(settler.release).not.toHaveBeenCalled();
    expect(new Set(requests()).size).toBe(1);
    (await lease?.settle())?.reject();
  });

  it('asks again by the same request where the answer got lost, and runs what it was given', async () => {
    const { long, leases, deliver, settler, ack, leased, requests } = gate();
    leases.take.mockImplementationOnce(away).mockResolvedValue(TAKEN);
    const entering = long.enter(deliver().delivery, message);
    await vi.advanceTimersByTimeAsync(250);
    const lease = await entering;
    expect(lease?.isLost).toBe(false);
    expect(new Set(requests()).size).toBe(1);
    expect([settler.release.mock.calls.length, ack.mock.calls.length]).toEqual([0, 1]);
    expect(leased.mock.calls.flat()).toEqual(['unavailable', 'taken']);
    (await lease?.settle())?.reject();
    // The next run of the job is another.
    await (await (await long.enter(deliver().delivery, message))?.settle())?.ack();
    expect(new Set(requests()).size).toBe(2);
  });

  it('gives back what is not answered for as long as a lease lasts, and knows it when it comes again', async () => {
    const { long, leases, deliver, settler, requests, lines } = gate();
    leases.take.mockImplementation(away);
    const startedAtMs = Date.now();
    const entering = long.enter(deliver().delivery, message);
    await vi.runAllTimersAsync();
    await expect(entering).resolves.toBeUndefined();
    const heldMs = Date.now() - startedAtMs;
    expect(heldMs).toBeGreaterThanOrEqual(LEASE_MS);
    expect(heldMs).toBeLessThan(1.5 * LEASE_MS);
    expect(settler.release).toHaveBeenCalledOnce();
    // Never so slowly that the lease, if it was granted, ends between two questions.
    expect(requests().length).toBeGreaterThanOrEqual(6);
    expect(lines).toHaveLength(1);
    leases.take.mockResolvedValue({ kind: 'duplicate' });
    await long.enter(deliver().delivery, message);
    expect(new Set(requests()).size).toBe(1);
    await long.enter(deliver().delivery, { ...message, attempt: 2 });
    await long.enter(deliver().delivery, message);
    expect(new Set(requests()).size).toBe(3);
  });

  it('leaves a delivery that is lost to its next one, which asks by the same request', async () => {
    const { long, leases, deliver, requests } = gate();
    leases.take.mockImplementationOnce(away).mockResolvedValue({ kind: 'duplicate' });
    const { delivery, lose } = deliver();
    const entering = long.enter(delivery, message);
    await vi.advanceTimersByTimeAsync(1);
    lose();
    await expect(entering).resolves.toBeUndefined();
    expect(requests()).toHaveLength(1);
    await long.enter(deliver().delivery, message);
    expect([requests().length, new Set(requests()).size]).toEqual([2, 1]);
  });

  it('waits no longer when the worker stops', async () => {
    const { long, leases, deliver, settler } = gate();
    leases.take.mockImplementation(away);
    const entering = long.enter(deliver().delivery, message);
    await vi.advanceTimersByTimeAsync(1);
    long.stop();
    await expect(entering).resolves.toBeUndefined();
    expect(settler.release).toHaveBeenCalledOnce();
  });
});
