import { newJobId } from '@warren/contracts';
import type { HistoryEvent } from '@warren/history';
import type { Acceptance } from '@warren/store';
import { type StoreBench, testStores } from '@warren/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptance, anyAcceptedJob, jobBase, lifeOf, liveOnce } from './support/store-events.ts';

/** All that the store says of jobs; where its tables can be read, each column. */
async function rows(bench: StoreBench, ids: readonly string[]): Promise<readonly unknown[]> {
  if (bench.kind === 'embedded') {
    return (await Promise.all(ids.map((id) => bench.store.jobs.find(id)))).flat();
  }
  const names = ids.map((id) => `'${id}'`).join(', ');
  return bench.sql(`SELECT * FROM projection.jobs WHERE id IN (${names}) ORDER BY id, queue`);
}

/** The same once the history was read again. */
async function rebuilt(bench: StoreBench, events: readonly HistoryEvent[], ids: readonly string[]) {
  await bench.store.projection.clear();
  await bench.store.projection.apply(events);
  return rows(bench, ids);
}

/** A job of somebody else's, by a clock that is ahead. */
function accepted(id: string, service: string, correlationId?: string): Acceptance {
  const { message, event } = acceptance(id);
  return { message, event: { ...event, atMs: Date.now() + 60_000, service, correlationId } };
}

testStores({ describe, beforeAll, afterAll }, (bench) => {
  it('writes what a rebuild writes, also of a job whose publish nobody could tell', async () => {
    const { outbox, projection } = bench.store;
    const job = jobBase();
    const [, ...told] = lifeOf(job, Date.now(), '1');
    await outbox.accept([accepted(job.id, 'gateway', 'c')]);
    await projection.apply(told);
    await outbox.done([job.id]);
    const live = await rows(bench, [job.id]);
    expect(live).toMatchObject([{ state: 'succeeded' }]);
    expect(await rebuilt(bench, told, [job.id])).toEqual(live);
  });

  it('says by whom a job was taken over until the history does', async () => {
    const { outbox, projection, jobs } = bench.store;
    const job = jobBase();
    const [queued, ...later] = lifeOf(job, Date.now(), '1') as [HistoryEvent, ...HistoryEvent[]];
    await outbox.accept([accepted(job.id, 'a shop', 'before')]);
    expect(await jobs.find(job.id)).toMatchObject([
      { state: 'accepted', service: 'a shop', correlationId: 'before' },
    ]);
    await projection.apply([queued]);
    const told = { service: 'gateway', correlationId: `c-${job.id}`, updatedAtMs: queued.atMs };
    expect(await jobs.find(job.id)).toMatchObject([{ state: 'queued', ...told }]);
    await outbox.accept([accepted(job.id, 'a shop', 'again')]);
    expect(await jobs.find(job.id)).toMatchObject([{ state: 'queued', ...told }]);
    await outbox.done([job.id]);
    await projection.apply(later);
    const live = await rows(bench, [job.id]);
    expect(await rebuilt(bench, [queued, ...later], [job.id])).toEqual(live);
  });

  it('keeps a job that left the outbox and of which the history does not tell', async () => {
    const { outbox } = bench.store;
    const id = newJobId();
    await outbox.accept([accepted(id, 'gateway')]);
    await outbox.done([id]);
    const live = await rows(bench, [id]);
    expect(live).toMatchObject([{ id, state: 'accepted', service: 'gateway' }]);
    expect(await rebuilt(bench, [], [id])).toEqual(live);
  });

  it('writes what a rebuild writes, whatever was accepted, told, repeated or lost, in any order', async () => {
    const { outbox, projection } = bench.store;
    const plan = fc.tuple(
      fc.array(anyAcceptedJob(), { minLength: 10, maxLength: 12 }),
      fc.infiniteStream(fc.nat()),
      fc.integer({ min: 1, max: 20 }),
    );
    const property = fc.asyncProperty(plan, async ([lives, random, size]) => {
      const named = lives.map(liveOnce);
      const ids = named.map(({ id }) => id);
      const events = named.flatMap((one) => one.events);
      const steps = [...named.flatMap((one) => one.acceptances), ...events, ...events.slice(0, 30)]
        .map((step) => ({ step, place: random.next().value }))
        .sort((a, b) => a.place - b.place)
        .map(({ step }) => step);
      for (let at = 0; at < steps.length; at += size) {
        const some = steps.slice(at, at + size);
        await outbox.accept(some.filter((step): step is Acceptance => 'event' in step));
        await projection.apply(some.filter((step): step is HistoryEvent => 'kind' in step));
      }
      // What is left there is kept by a rebuild.
      await outbox.done(named.flatMap(({ isLeft, id }) => (isLeft ? [] : [id])));
      const live = await rows(bench, ids);
      expect(live).toHaveLength(ids.length);
      expect(await rebuilt(bench, events, ids)).toEqual(live);
      await outbox.done(ids);
    });
    await fc.assert(property, { numRuns: 8 });
  });
});
