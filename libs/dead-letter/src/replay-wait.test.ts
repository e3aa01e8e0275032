import type { Delivery } from '@warren/broker';
import { createNames } from '@warren/topology';
import { expect, it } from 'vitest';
import { CircuitHold } from './circuit-hold.ts';
import { ReplayWait } from './replay-wait.ts';

const open = (breaker: string, ...queues: string[]) => ({
  breaker,
  queues,
  state: 'open' as const,
  sinceMs: 1,
  workers: [{ worker: 'w', state: 'open', sinceMs: 1 }] as const,
});
const letter = (queue: string) => ({ queue }) as unknown as Delivery;

it('asks where a letter goes only while something is held, and tells once of each circuit', () => {
  const hold = new CircuitHold(createNames());
  const asked: string[] = [];
  const told: (string | undefined)[] = [];
  const queueOf = (delivery: Delivery) => {
    const { queue } = delivery as unknown as { queue: string };
    asked.push(queue);
    return queue === 'nowhere' ? undefined : queue;
  };
  const wait = new ReplayWait(hold, queueOf, (heldBy) => told.push(heldBy?.breaker));
  expect(wait.heldBy(letter('a.b'))).toBeUndefined();
  expect(asked).toEqual([]);

  hold.hear([open('smtp', 'a.b'), open('crm', 'c.d')]);
  for (let n = 0; n < 3; n += 1) expect(wait.heldBy(letter('a.b'))).toMatchObject({ type: 'a.b' });
  expect(wait.heldBy(letter('c.d'))).toMatchObject({ breaker: 'crm' });
  expect(wait.heldBy(letter('nowhere'))).toBeUndefined();
  hold.hear([]);
  expect(wait.heldBy(letter('a.b'))).toBeUndefined();
  expect(told).toEqual(['smtp', 'crm', undefined]);
});
