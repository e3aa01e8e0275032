import type { CircuitEverywhere } from '@warren/history';
import { createNames } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import { CircuitHold, heldByText, heldQueues } from './circuit-hold.ts';

const names = createNames('shop');
const SINCE_MS = Date.UTC(2026, 10, 30, 3);

const circuit = (
  state: CircuitEverywhere['state'],
  more: Partial<CircuitEverywhere> = {},
): CircuitEverywhere => ({
  breaker: 'smtp',
  queues: ['mail.send'],
  state,
  sinceMs: SINCE_MS,
  workers: [
    { worker: 'w1', state, sinceMs: SINCE_MS },
    { worker: 'w2', state: 'closed', sinceMs: 0 },
  ],
  ...more,
});
const heldIn = (...circuits: CircuitEverywhere[]) => [...heldQueues(circuits, names).keys()];

describe('what waits for a circuit', () => {
  it('is every queue from which jobs of its types run, while it is open in any worker', () => {
    expect(heldIn(circuit('open'))).toEqual([
      'shop.mail.send',
      'shop.mail.send.high',
      'shop.mail.send.low',
      'shop.mail.send.suspect',
    ]);
    expect(heldQueues([circuit('open')], names).get('shop.mail.send')).toEqual({
      breaker: 'smtp',
      type: 'mail.send',
      workers: 1,
      sinceMs: SINCE_MS,
    });
  });

  it('is nothing while one is tried or closed, of a key, or of an old worker that does not tell of queues', () => {
    expect(heldIn(circuit('half_open'), circuit('closed'))).toEqual([]);
    expect(heldIn(circuit('open', { key: 'a.example' }))).toEqual([]);
    expect(heldIn(circuit('open', { queues: [] }))).toEqual([]);
  });

  it('is told in one sentence', () => {
    const [held] = heldQueues([circuit('open')], names).values();
    expect(held && heldByText(held)).toBe(
      'circuit smtp of mail.send is open on 1 worker, since 2026-11-30T03:00:00.000Z',
    );
    expect(held && heldByText({ ...held, workers: 3 })).toContain('on 3 workers,');
  });
});

describe('a hold', () => {
  it('knows what it has heard last, and says that there is news', () => {
    const hold = new CircuitHold(names);
    const heard: boolean[] = [];
    const stop = hold.onNews(() => void heard.push(hold.isHolding));
    expect(hold.isHolding).toBe(false);
    hold.hear([circuit('open')]);
    expect(hold.heldBy('shop.mail.send.low')).toMatchObject({ breaker: 'smtp' });
    expect(hold.heldBy('shop.mail.other')).toBeUndefined();
    hold.hear([circuit('half_open')]);
    expect(hold.heldBy('shop.mail.send')).toBeUndefined();
    stop();
    hold.hear([circuit('open')]);
    expect(heard).toEqual([true, false]);
  });
});
