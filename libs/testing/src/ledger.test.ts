import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ledger } from './ledger.ts';

const event = fc.record({
  kind: fc.constantFrom('accept', 'handle'),
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  attempt: fc.integer({ min: 1, max: 5 }),
});

describe('report', () => {
  it('adds up, whatever the order of answers and runs', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const ledger = new Ledger();
        for (const { kind, id, attempt } of events) {
          if (kind === 'accept') ledger.accept(id);
          else ledger.handle(id, attempt);
        }
        const accepted = new Set(events.flatMap(({ kind, id }) => (kind === 'accept' ? [id] : [])));
        const runs = events.filter(({ kind }) => kind === 'handle');
        const handled = new Set(runs.map(({ id }) => id));
        const report = ledger.report();
        expect({ ...report, lost: [...report.lost].sort() }).toEqual({
          accepted: accepted.size,
          handled: handled.size,
          lost: [...accepted].filter((id) => !handled.has(id)).sort(),
          duplicates: runs.length - handled.size,
          unasked: [...handled].filter((id) => !accepted.has(id)).length,
          highestAttempt: Math.max(0, ...runs.map(({ attempt }) => attempt)),
        });
        expect(ledger.missing).toBe(report.lost.length);
      }),
    );
  });
});

describe('whenAllHandled', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('resolves at once when nothing is missing', async () => {
    const ledger = new Ledger();
    await expect(ledger.whenAllHandled(1_000)).resolves.toBeUndefined();
    ledger.handle('a', 1);
    ledger.accept('a');
    await expect(ledger.whenAllHandled(1_000)).resolves.toBeUndefined();
  });

  it('resolves with the last missing job, not with another', async () => {
    const ledger = new Ledger();
    for (const id of ['a', 'b']) ledger.accept(id);
    const done = vi.fn();
    const all = ledger.whenAllHandled(1_000).then(done);
    ledger.handle('a', 1);
    ledger.handle('unasked', 1);
    ledger.handle('a', 1);
    await vi.advanceTimersByTimeAsync(500);
    expect(done).not.toHaveBeenCalled();
    ledger.handle('b', 1);
    await all;
    expect(done).toHaveBeenCalledOnce();
  });

  it('rejects after its time, saying how many are missing', async () => {
    const ledger = new Ledger();
    for (const id of ['a', 'b', 'c']) ledger.accept(id);
    ledger.handle('b', 1);
    const failed = expect(ledger.whenAllHandled(1_000)).rejects.toThrow(
      '2 accepted jobs not handled in 1000 ms',
    );
    await vi.advanceTimersByTimeAsync(1_000);
    await failed;
  });

  it('answers everybody who waits', async () => {
    const ledger = new Ledger();
    ledger.accept('a');
    const both = Promise.all([ledger.whenAllHandled(1_000), ledger.whenAllHandled(2_000)]);
    ledger.handle('a', 1);
    await expect(both).resolves.toEqual([undefined, undefined]);
  });
});
