import { BrokerUnavailableError, ShuttingDownError, UnroutableError } from '@warren/contracts';
import { expect, it } from 'vitest';
import { failurePauseMs, putBackDelayMs } from './relay-pauses.ts';

it('a message that fails for its own sake waits longer each time, up to five minutes', () => {
  const error = new UnroutableError('jobs', 'a.b', 'NO_ROUTE');
  const delays = [0, 1, 2, 3, 9, 10, 1_000].map((leases) => putBackDelayMs(error, leases));
  expect(delays).toEqual([1_000, 1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
  expect(putBackDelayMs('anything', 2)).toBe(2_000);
});

it('one that the broker was not there for does not, and one of a relay that stops is free at once', () => {
  expect(putBackDelayMs(new BrokerUnavailableError('away'), 9)).toBe(1_000);
  expect(putBackDelayMs(new ShuttingDownError('publish'), 9)).toBe(0);
});

it('the pause after failures of the database grows to five seconds', () => {
  expect([1, 2, 3, 7, 1_000].map(failurePauseMs)).toEqual([100, 200, 400, 5_000, 5_000]);
});
