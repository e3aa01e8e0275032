import { anyJob } from '@warren/testing';
import { buildTopology } from '@warren/topology';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KilledReplay, type KillPoint } from './killed-replay.fixture.ts';
import { KEY_BYTES } from './ledger/letter-key.ts';
import { type ReplayOptions, replay } from './replay.ts';

const job = anyJob('probe.run');
const topology = buildTopology({ jobTypes: [job] });
const [queue, workQueue] = [topology.names.deadQueue(job.type), topology.names.workQueue(job.type)];
const IDS = ['id-1', 'id-2', 'id-3', 'id-4'];
/** Longer than a replay looks for what does not come. */
const QUIET_MS = 5_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function run(there: KilledReplay, isFixed: boolean, how: Partial<ReplayOptions> = {}) {
  const { session, store } = there.start();
  const ledger = { store, id: 'run-1', begin: async () => true, isFixed };
  const source = { queue, workQueue };
  const running = replay({ session, topology, source, holder: 'test', ledger, ...how });
  await vi.advanceTimersByTimeAsync(QUIET_MS);
  return running;
}

/** What a kill at this point may repeat, and what is only taken out later. */
const points: readonly (readonly [KillPoint, { repeats: number; doneBefore: number }])[] = [
  ['before the publish', { repeats: 0, doneBefore: 0 }],
  ['after the publish, before its confirm', { repeats: 1, doneBefore: 0 }],
  ['after the confirm, before the ledger has it', { repeats: 1, doneBefore: 0 }],
  ['after the ledger has it, before it answers', { repeats: 0, doneBefore: 1 }],
  ['after the answer of the ledger, before the ack', { repeats: 0, doneBefore: 1 }],
  ['after the ack', { repeats: 0, doneBefore: 0 }],
];

it.each(points)('killed %s, a replay goes on with what is left', async (point, expected) => {
  const there = new KilledReplay(queue, IDS, point);
  const first = await run(there, false, { window: 1 });
  expect(first.stopped?.reason).toBe('connection_lost');
  // At the moment of the kill each of them is in a place: dead, or published.
  expect(new Set([...there.published, ...there.dead.map(({ id }) => id)])).toEqual(new Set(IDS));
  expect(there.ends).toEqual([]);

  const second = await run(there, true, { window: 1 });
  expect(second).toMatchObject({
    stopped: undefined,
    missing: 0,
    left: 0,
    unknown: 0,
    doneBefore: expected.doneBefore,
  });
  expect(new Set(there.published)).toEqual(new Set(IDS));
  expect(there.published.length - IDS.length).toBe(expected.repeats);
  expect(there.dead).toEqual([]);
  // Each is done once in the ledger, whatever was repeated.
  const done = there.parts.filter(({ isDone }) => isDone).map(({ keys }) => keys.toString('hex'));
  expect(new Set(done).size).toBe(IDS.length);
  expect(done.join('').length).toBe(IDS.length * KEY_BYTES * 2);
  expect(there.ends).toMatchObject([{ problem: undefined, report: { missing: 0 } }]);
});

it('repeats no more than its window, whatever is in hand', async () => {
  const ids = Array.from({ length: 20 }, (_, at) => `id-${at}`);
  const there = new KilledReplay(queue, ids, 'after the confirm, before the ledger has it');
  await run(there, false, { window: 5 });
  await run(there, true, { window: 5 });
  expect(new Set(there.published)).toEqual(new Set(ids));
  expect(there.published.length - ids.length).toBeLessThanOrEqual(5);
  expect(there.dead).toEqual([]);
});
