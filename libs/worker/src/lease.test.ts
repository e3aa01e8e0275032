import { ClaimLostError } from '@warren/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heldDelivery } from './held-delivery.fixture.ts';
import { Lease } from './lease.ts';
import { MemoryClaims } from './memory-claims.fixture.ts';

const LEASE_MS = 30_000;
const JOB = { queue: 'a.b', id: 'j', owner: 'w', leaseMs: LEASE_MS };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

async function claimed() {
  const claims = new MemoryClaims();
  const claim = await claims.claim(JOB);
  const token = claim.kind === 'claimed' ? claim.token : 0;
  const gaveUp = new AbortController();
  const told = { onLost: vi.fn(), onProblem: vi.fn() };
  const lease = new Lease({ ...JOB, claims, token, gaveUp: gaveUp.signal, ...told });
  return { claims, lease, gaveUp, ...told };
}

async function held() {
  const parts = await claimed();
  const lost: string[] = [];
  parts.lease.hold((detail) => void lost.push(detail));
  return { ...parts, lost, ...heldDelivery() };
}
const succeeded = (result: unknown) => ({
  outcome: { kind: 'succeeded', result } as const,
  ended: undefined,
});
const failed = { outcome: { kind: 'failed', error: 'x' } as const, ended: undefined };

describe('a lease', () => {
  it('is renewed for as long as its run takes, and keeps its result', async () => {
    const { claims, lease, lost, delivery } = await held();
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(lost).toEqual([]);
    expect((await claims.claim(JOB)).kind).toBe('busy');
    await expect(lease.end(succeeded({ n: 1 }), delivery)).resolves.toMatchObject({
      kind: 'succeeded',
    });
    expect(await claims.claim(JOB)).toEqual({ kind: 'done', result: { n: 1 } });
  });

  it.each([undefined, () => 1, 'x'.repeat(70_000)])(
    'keeps that it is done also where there is no result to keep',
    async (result) => {
      const { claims, lease, delivery } = await held();
      await lease.end(succeeded(result), delivery);
      expect(await claims.claim(JOB)).toEqual({ kind: 'done', result: null });
    },
  );

  it('is given up after a failure', async () => {
    const { claims, lease, delivery } = await held();
    await expect(lease.end(failed, delivery)).resolves.toBe(failed.outcome);
    expect(await claims.claim(JOB)).toEqual({ kind: 'claimed', token: 2 });
    await lease.release();
  });

  it('is kept for a handler that goes on, until it ends', async () => {
    const { claims, lease, delivery } = await held();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    await lease.end({ outcome: { kind: 'timed-out', error: new Error('slow') }, ended }, delivery);
    await vi.advanceTimersByTimeAsync(3 * LEASE_MS);
    expect((await claims.claim(JOB)).kind).toBe('busy');
    end();
    await vi.advanceTimersByTimeAsync(0);
    expect((await claims.claim(JOB)).kind).toBe('claimed');
  });

  it('outlives a store that is away for less than it lasts, and is lost beyond that, once', async () => {
    const { claims, lease, lost, onLost } = await held();
    claims.failing = true;
    await vi.advanceTimersByTimeAsync(LEASE_MS - LEASE_MS / 5);
    claims.failing = false;
    await vi.advanceTimersByTimeAsync(LEASE_MS / 10);
    claims.failing = true;
    await vi.advanceTimersByTimeAsync(LEASE_MS - LEASE_MS / 5);
    expect(lost).toEqual([]);
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(lost).toEqual(['the store did not renew it in time']);
    expect(onLost).toHaveBeenCalledOnce();
    await lease.release();
  });

  it('is kept before there is a run to hold it', async () => {
    const { claims, lease } = await claimed();
    lease.keep();
    await vi.advanceTimersByTimeAsync(3 * LEASE_MS);
    const lost: string[] = [];
    lease.hold((detail) => void lost.push(detail));
    await vi.advanceTimersByTimeAsync(3 * LEASE_MS);
    expect([lost, (await claims.claim(JOB)).kind]).toEqual([[], 'busy']);
    await lease.release();
  });

  it('tells a run at once that it was lost before', async () => {
    const { claims, lease, onLost } = await claimed();
    claims.failing = true;
    lease.keep();
    await vi.advanceTimersByTimeAsync(3 * LEASE_MS);
    const lost: string[] = [];
    lease.hold((detail) => void lost.push(detail));
    expect(lost).toEqual(['the store did not renew it in time']);
    expect(onLost).toHaveBeenCalledOnce();
    await lease.release();
  });

  it('is lost to another that could take it', async () => {
    const { claims, lease, lost, delivery } = await held();
    await claims.release({ id: 'j', token: 1 });
    await claims.claim(JOB);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
    expect(lost).toEqual(['another run has taken it']);
    await expect(lease.end(succeeded(1), delivery)).resolves.toMatchObject({
      kind: 'cancelled',
      error: expect.any(ClaimLostError),
    });
  });
});

describe('a result that cannot be kept', () => {
  it('is tried again until the store is back', async () => {
    const { claims, lease, delivery, onProblem } = await held();
    claims.failing = true;
    const outcome = lease.end(succeeded(1), delivery);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onProblem).toHaveBeenCalled();
    claims.failing = false;
    await vi.advanceTimersByTimeAsync(5_000);
    await expect(outcome).resolves.toMatchObject({ kind: 'succeeded' });
    expect((await claims.claim(JOB)).kind).toBe('done');
  });

  it.each(['lose', 'giveUp'])('is not kept once the delivery is let go: %s', async (way) => {
    const { claims, lease, delivery, lose, gaveUp } = await held();
    claims.failing = true;
    const outcome = lease.end(succeeded(1), delivery);
    await vi.advanceTimersByTimeAsync(50);
    if (way === 'lose') lose();
    else gaveUp.abort();
    await expect(outcome).resolves.toMatchObject({ kind: 'cancelled' });
  });
});
