import { expect, it } from 'vitest';
import { anyPayload } from './any-payload.fixture.ts';
import {
  adaptiveOf,
  concurrencyOf,
  maxHeldOf,
  prefetchOf,
  withCounts,
  withOperatorsCounts,
} from './concurrency.ts';
import { type HandleOptions, handle } from './handle.ts';

const registered = (options: HandleOptions, definition = anyPayload()) =>
  handle(definition, () => {}, options);

it.each([
  [{ concurrency: 3 }, false, { min: 3, max: 30 }],
  // Acks wait for the history: more must be out meanwhile.
  [{ concurrency: 3 }, true, { min: 3, max: 150 }],
  [{ concurrency: 500 }, true, { min: 500, max: 2_000 }],
  [{ concurrency: 3_000 }, false, { min: 3_000, max: 3_000 }],
  [{ concurrency: 3, prefetch: 7 }, true, 7],
  [{ concurrency: 3, prefetch: 1 }, false, 3],
])('%j with a history %s has a prefetch of %j', (options, hasHistory, expected) => {
  expect(prefetchOf(registered(options), hasHistory)).toEqual(expected);
});

it('a lane always has more in hand than run at once', () => {
  const laned = { ...anyPayload(), lanes: true };
  expect(prefetchOf(registered({ concurrency: 3 }, laned), false)).toEqual({ min: 12, max: 30 });
  expect(prefetchOf(registered({ concurrency: 3, prefetch: 5 }, laned), false)).toBe(5);
});

it('what a process says goes before what the job type says, and that before the machine', () => {
  const definition = { ...anyPayload(), concurrency: 4 };
  expect(concurrencyOf(registered({ concurrency: 2 }, definition))).toBe(2);
  expect(concurrencyOf(registered({}, definition))).toBe(4);
  expect(concurrencyOf(registered({})) % 2).toBe(0);
});

it('what a process sets by job type goes before all of that, and other types are left alone', () => {
  const coded = registered({ concurrency: 2, prefetch: 3, breaker: 'smtp' });
  const counts = { concurrency: { 'report.render': 7, 'other.type': 1 }, prefetch: {} };
  const { definition, options } = withCounts(coded, counts);
  expect(definition).toBe(coded.definition);
  expect(options).toEqual({ concurrency: 7, prefetch: 3, breaker: 'smtp' });
  expect(withCounts(coded, { prefetch: { 'report.render': 9 } }).options).toEqual({
    ...coded.options,
    prefetch: 9,
  });
  const named = registered({}, { ...anyPayload(), type: 'constructor' });
  expect(withCounts(named, { concurrency: {}, prefetch: {} }).options).toEqual({});
});

it('what computes has one at a time, unless somebody says more', () => {
  const definition = { ...anyPayload(), cpuBound: true };
  expect(concurrencyOf(registered({}, definition))).toBe(1);
  expect(concurrencyOf(registered({ concurrency: 2 }, definition))).toBe(2);
});

it.each([
  [{}, 3, 7],
  [{ concurrency: 5 }, 5, 7],
  // Less than may run at once would keep handlers idle.
  [{ concurrency: 9 }, 9, 9],
  [{ prefetch: 20 }, 3, 20],
  [{ concurrency: 1, prefetch: 1 }, 1, 1],
])('what an operator sets goes before all: %j', (counts, concurrency, prefetch) => {
  const set = withOperatorsCounts(registered({ concurrency: 3, prefetch: 7 }), counts);
  expect([concurrencyOf(set), prefetchOf(set, true)]).toEqual([concurrency, prefetch]);
});

it.each([
  [{ concurrency: 5 }, 25],
  [{ concurrency: 20 }, 100],
  [{ concurrency: 5, prefetch: 11 }, 5],
  // The one that is fetched must not be one that waits.
  [{ concurrency: 1, prefetch: 1 }, 0],
])('of %j at most %d wait in hand for a limit', (counts, held) => {
  expect(maxHeldOf(registered(counts))).toBe(held);
  expect(maxHeldOf(withOperatorsCounts(registered({ concurrency: 9 }), counts))).toBe(held);
});

it('is to be found out where the last who says something says so, and begins with the least', () => {
  const bounds = { min: 3, max: 9, latencyMs: 1_000 };
  const found = { ...anyPayload(), adaptive: bounds };
  const wider = { max: 40, latency: '2s' } as const;
  expect([adaptiveOf(registered({}, found)), concurrencyOf(registered({}, found))]).toEqual([
    bounds,
    3,
  ]);
  const here = registered({ concurrency: wider }, found);
  expect(adaptiveOf(here)).toEqual({ min: 1, max: 40, latencyMs: 2_000 });
  expect(adaptiveOf(registered({ concurrency: 5 }, found))).toBeUndefined();
  const fixed = withCounts(here, { concurrency: { 'report.render': 7 } });
  expect([adaptiveOf(fixed), concurrencyOf(fixed)]).toEqual([undefined, 7]);
  expect(concurrencyOf(withOperatorsCounts(here, { concurrency: 6 }))).toBe(6);
});
