import { newJobId } from '@warren/contracts';
import { encodeBatch } from '@warren/history';
import { eventually } from '@warren/testing';
import { describe, expect, it } from 'vitest';
import { inState, lifeOf, reaches, setUp, stateOf } from './support/tracked.ts';

describe.concurrent('the tracker', () => {
  it('writes what is told, passes over what it cannot read, and is followed by the next one', async (context) => {
    const { topology, bench, admin, history, track, tell } = await setUp(context);
    const first = await track();
    await eventually('the first reads', () => first.service.ready().ready);
    const [dead, done] = [newJobId(), newJobId()];
    await tell([...lifeOf(0, dead), ...lifeOf(1, done).reverse()]);
    await inState(bench.store, dead, 'dead');
    await inState(bench.store, done, 'succeeded');
    expect(
      (await bench.store.jobs.attempts('email.send', dead)).map(({ attempt }) => attempt),
    ).toEqual([1, 2]);
    expect((await bench.store.jobs.log('email.send', dead, { limit: 9 })).items).toMatchObject([
      { seq: 1, message: 'half' },
    ]);
    await reaches(first, 'jobs_tracker_events_total', 10);

    const second = await track();
    await eventually('the second stands by', () => second.service.ready().ready);
    expect(second.service.ready().checks).toMatchObject({
      history: 'standby: another tracker reads',
    });
    const future = encodeBatch(lifeOf(1)).toString().replace('"v":1', '"v":9');
    for (const body of ['no JSON', future, '{"v":1,"events":[{"kind":"sneezed"}]}']) {
      await admin.publish(topology.names.lifecycle, 'test', body);
    }
    const after = newJobId();
    await tell(lifeOf(1, after));
    await inState(bench.store, after, 'succeeded');
    await reaches(first, 'jobs_history_skipped_total', 3);
    expect(await second.metric('jobs_tracker_events_total')).toBe(0);

    await first.service.stop();
    expect(await first.metric('jobs_tracker_active')).toBe(0);
    const last = newJobId();
    await tell(lifeOf(1, last));
    await inState(bench.store, last, 'succeeded');
    expect(await second.metric('jobs_tracker_active')).toBe(1);
    // From where the first one stood: nothing again.
    await reaches(second, 'jobs_tracker_events_total', 3);
    expect(history.spooled).toBe(0);
  });

  it('waits for a store that is away, and then catches up', async (context) => {
    const { bench, track, tell } = await setUp(context);
    const { service, database } = await track();
    await eventually('it reads', () => service.ready().ready);
    database.setOpen(false);
    const ids = Array.from({ length: 50 }, () => newJobId());
    await tell(ids.flatMap((id, number) => lifeOf(number, id)));
    await eventually('it says so', () => service.ready().checks['store'] !== 'ok');
    expect(service.ready().ready).toBe(false);
    expect(await stateOf(bench.store, ids[0] ?? '')).toBeUndefined();
    database.setOpen(true);
    for (const [number, id] of ids.entries()) {
      await inState(bench.store, id, number % 4 === 0 ? 'dead' : 'succeeded');
    }
    await eventually('it is ready', () => service.ready().ready);
  });
});
