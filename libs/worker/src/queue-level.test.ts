import { expect, it, vi } from 'vitest';
import type { AdaptiveLevel } from './adaptive/adaptive-level.ts';
import { anyPayload } from './any-payload.fixture.ts';
import { type HandleOptions, handle } from './handle.ts';
import { QueueLevel } from './queue-level.ts';

const found = { concurrency: 12, reach: 18 };
const hold = vi.fn();
const adaptive = { level: found, hold } as unknown as AdaptiveLevel;
function levelOf(role: 'work' | 'suspect', options: HandleOptions, isAdaptive = true) {
  const registration = handle(anyPayload(), () => {}, options);
  const level = { registration, role, hasHistory: false, isKeyed: false };
  return new QueueLevel({ ...level, adaptive: isAdaptive ? adaptive : undefined });
}
const latency = '1s';

it('is what was found out, until an operator says a number, and again when that is taken back', () => {
  const level = levelOf('work', { concurrency: { max: 40, latency } });
  const now = () => [level.concurrency, level.prefetch];
  expect(now()).toEqual([12, { min: 18, max: 180 }]);
  expect(level.setByOperator({ prefetch: 30 })).toBe(true);
  expect(now()).toEqual([12, 30]);
  expect([level.changedPrefetch(), level.changedPrefetch()]).toEqual([30, undefined]);
  level.setByOperator({ concurrency: 2 });
  expect(now()).toEqual([2, { min: 2, max: 20 }]);
  level.setByOperator({});
  expect(now()).toEqual([12, { min: 18, max: 180 }]);
  expect(hold.mock.calls).toEqual([[false], [true], [false]]);
});

it('is what code and environment say where nothing is to be found out; suspects run one at a time', () => {
  expect(levelOf('work', { concurrency: 3 }, false).concurrency).toBe(3);
  const suspects = levelOf('suspect', { concurrency: 3 });
  expect(suspects.setByOperator({ concurrency: 9 })).toBe(false);
  expect([suspects.concurrency, suspects.prefetch]).toEqual([1, 1]);
});
