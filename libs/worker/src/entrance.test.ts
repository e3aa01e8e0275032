import { describe, expect, it, vi } from 'vitest';
import { aMessage } from './a-message.fixture.ts';
import { Entrance, type EntranceOptions } from './entrance.ts';
import { heldDelivery } from './held-delivery.fixture.ts';

/** A queue whose jobs are both `once` and `long`; `enterLong` answers for the store of leases. */
function entranceWith(enterLong: () => Promise<unknown>) {
  const steps: string[] = [];
  const lease = {
    keep: () => void steps.push('keep the claim'),
    release: async () => void steps.push('release the claim'),
  };
  const long = {
    enter: () => {
      steps.push('ask for the lease');
      return enterLong();
    },
  };
  const entrance = new Entrance({
    queue: 'a.b',
    settler: { refuse: vi.fn(), release: vi.fn() },
    cancellations: { find: () => undefined },
    once: { enter: async () => lease },
    long,
  } as unknown as EntranceOptions);
  const enter = async () => entrance.enter(heldDelivery().delivery, aMessage({ id: 'j' }));
  return { enter, steps, lease };
}

describe('a job that is both once and long', () => {
  it('has its claim renewed while the store is asked for its lease', async () => {
    const job = { isLost: false };
    const { enter, steps, lease } = entranceWith(async () => job);
    await expect(enter()).resolves.toEqual({ lease, long: job });
    expect(steps).toEqual(['keep the claim', 'ask for the lease']);
  });

  it.each([
    ['it was settled without a lease', async () => undefined, undefined],
    ['the question fails', () => Promise.reject(new Error('away')), 'away'],
  ])('gives its claim up where %s', async (_, enterLong, problem) => {
    const { enter, steps } = entranceWith(enterLong);
    if (problem === undefined) await expect(enter()).resolves.toBeUndefined();
    else await expect(enter()).rejects.toThrow(problem);
    expect(steps.at(-1)).toBe('release the claim');
  });
});
