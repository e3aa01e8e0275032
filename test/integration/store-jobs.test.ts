import { CursorInvalidError, newJobId } from '@warren/contracts';
import type { HistoryEvent } from '@warren/history';
import type { JobFilter, Store } from '@warren/store';
import { testStores } from '@warren/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEvents, jobBase, lifeOf, logLine } from './support/store-events.ts';

/** All that readers see of a job, but for its id. */
async function seen(store: Store, id: string): Promise<unknown> {
  const queue = 'email.send';
  const jobs = (await store.jobs.find(id)).map((job) => ({ ...job, id: '' }));
  const { items, missing } = await store.jobs.log(queue, id, { limit: 100 });
  return { jobs, attempts: await store.jobs.attempts(queue, id), items, missing };
}

testStores({ describe, beforeAll, afterAll }, (bench) => {
  it('shows what history told of a job', async () => {
    const { store } = bench;
    const job = jobBase();
    await store.projection.apply(lifeOf(job, 1_000, '{"x":1}'), { stream: 's', offset: 7 });
    const run = expect.any(String);
    expect(await store.jobs.find(job.id)).toMatchObject([
      {
        ...job,
        state: 'succeeded',
        createdAtMs: 1_000,
        startedAtMs: 1_001,
        finishedAtMs: 1_003,
        updatedAtMs: 1_003,
        progress: { fraction: 0.4, message: 'resized' },
        result: { x: 1 },
        correlationId: `c-${job.id}`,
        service: 'gateway',
        worker: 'worker-1',
      },
    ]);
    expect(await store.jobs.attempts(job.queue, job.id)).toMatchObject([
      {
        attempt: 1,
        run,
        worker: 'worker-1',
        startedAtMs: 1_001,
        endedAtMs: 1_003,
        outcome: 'succeeded',
      },
    ]);
    const { items } = await store.jobs.log(job.queue, job.id, { limit: 10 });
    expect(items).toEqual([{ run, seq: 1, atMs: 1_002, level: 'info', message: 'line 1' }]);
    expect(await store.projection.offset('s')).toBe(7);
    expect(await store.projection.offset('never read')).toBeUndefined();
  });

  it('comes to the same, whatever the order, the batches and the repetitions of events', async () => {
    const { store } = bench;
    const jobs = fc.array(anyEvents(''), { minLength: 10, maxLength: 12 });
    const plan = fc.tuple(jobs, fc.infiniteStream(fc.nat()), fc.integer({ min: 1, max: 20 }));
    const property = fc.asyncProperty(plan, async ([lives, random, size]) => {
      const names = lives.map(() => ({ ordered: newJobId(), other: newJobId() }));
      const eventsOf = (name: 'ordered' | 'other') =>
        lives.flatMap((events, at) =>
          events.map((event) => ({ ...event, id: names[at]?.[name] ?? '' })),
        );
      await store.projection.apply(eventsOf('ordered').toSorted((a, b) => a.atMs - b.atMs));
      const others = eventsOf('other');
      const mixed = [...others, ...others.slice(0, 30)]
        .map((event) => ({ event, place: random.next().value }))
        .sort((a, b) => a.place - b.place)
        .map(({ event }) => event);
      for (let at = 0; at < mixed.length; at += size) {
        await store.projection.apply(mixed.slice(at, at + size));
      }
      for (const { ordered, other } of names) {
        expect(await seen(store, other)).toEqual(await seen(store, ordered));
      }
    });
    await fc.assert(property, { numRuns: 4 });
  });

  it('keeps what the database cannot hold out of it, and nothing else', async () => {
    const { store } = bench;
    const job = jobBase(newJobId(), 'bad.input');
    const bad = 'a\0b\ud800c';
    const run = newJobId();
    await store.projection.apply([
      { ...job, kind: 'queued', atMs: 1, run: '', service: bad, correlationId: bad },
      { ...job, kind: 'started', atMs: 2, run, worker: bad },
      { ...job, kind: 'progress', atMs: 3, run, fraction: Number.NaN, message: bad },
      { ...logLine(job, run, 1, 3), message: bad, fields: `{"f":"${bad}\\u0000"}` } as HistoryEvent,
      {
        ...logLine(job, run, 2, 3),
        message: 'é'.repeat(500_000),
        fields: '{no json',
      } as HistoryEvent,
      {
        ...job,
        kind: 'dead',
        atMs: 4,
        run,
        reason: 'poison',
        error: { name: bad, message: bad, stack: bad },
      },
      {
        ...job,
        id: `${job.id}${bad}`,
        kind: 'succeeded',
        atMs: Number.POSITIVE_INFINITY,
        run: bad,
        durationMs: 1,
        result: bad,
      },
      {
        ...job,
        id: `${job.id}${bad}x`,
        kind: 'succeeded',
        atMs: -5,
        run,
        durationMs: 1,
        result: JSON.stringify('x'.repeat(300_000)),
      },
      {
        ...job,
        id: 'i'.repeat(100_000),
        queue: 'q'.repeat(100_000),
        kind: 'expired',
        atMs: 4.5,
        run: '',
      },
    ]);
    expect(await store.jobs.find(job.id)).toMatchObject([
      {
        service: 'abc',
        worker: 'abc',
        error: { name: 'abc', message: 'abc', stack: 'abc' },
        progress: { fraction: 0, message: 'abc' },
      },
    ]);
    const { items } = await store.jobs.log(job.queue, job.id, { limit: 10 });
    expect(items).toMatchObject([
      { message: 'abc', fields: { f: 'abc\0' } },
      { isCut: true, fields: '{no json' },
    ]);
    expect(items[1]?.message).toBe('é'.repeat(8_192));
    expect(await store.jobs.find(`${job.id}${bad}`)).toMatchObject([
      { resultProblem: 'the result is no JSON' },
    ]);
    expect(await store.jobs.find(`${job.id}abcx`)).toMatchObject([
      { finishedAtMs: 0, resultProblem: 'the result is larger than the store keeps' },
    ]);
    expect(await store.jobs.find('i'.repeat(255))).toMatchObject([{ queue: 'q'.repeat(255) }]);
  });

  it('keeps the newest lines of a job and counts the others', async () => {
    const { store } = bench;
    const job = jobBase();
    const lines = (run: string, from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => logLine(job, run, from + at, 5));
    const last = newJobId();
    await store.projection.apply(lines('0', 1, 400));
    await store.projection.apply(lines(last, 1, 99_000));
    await store.projection.apply(lines(last, 99_001, 100_000));
    await store.projection.apply(lines(last, 50, 60));
    const first = await store.jobs.log(job.queue, job.id, { limit: 600 });
    const rest = await store.jobs.log(job.queue, job.id, { limit: 600, cursor: first.cursor });
    expect([first.items[0]?.seq, first.items.length]).toEqual([99_001, 600]);
    expect([rest.items.at(-1)?.seq, rest.items.length, rest.cursor]).toEqual([
      100_000,
      400,
      undefined,
    ]);
    expect(rest.missing).toBe(99_400);
    await store.projection.apply(lines(last, 100_001, 100_002));
    const tail = await store.jobs.log(job.queue, job.id, { limit: 600, cursor: rest.position });
    expect(tail.items.map(({ seq }) => seq)).toEqual([100_001, 100_002]);
  });

  it('lists jobs page by page, newest first, by type, state and text', async () => {
    const { store } = bench;
    const jobs = Array.from({ length: 7 }, (_, at) => jobBase(`list-${at}`, 'list.me'));
    const run = newJobId();
    await store.projection.apply(
      jobs.flatMap((job, at): HistoryEvent[] => [
        {
          ...job,
          kind: 'queued',
          atMs: 5_000 + (at >> 1),
          run: '',
          service: 's',
          correlationId: `Order_${at >> 1}-${at}`,
        },
        ...(at < 3
          ? [
              {
                ...job,
                kind: 'dead',
                atMs: 6_000,
                run,
                reason: 'schema',
                error: { name: 'E', message: `50%_off ${at}` },
              } as const,
            ]
          : []),
      ]),
    );
    const ids = async (filter: Omit<JobFilter, 'limit'>): Promise<string[]> => {
      const { items, cursor } = await store.jobs.list({ ...filter, type: 'list.me', limit: 2 });
      return [...items.map(({ id }) => id), ...(cursor ? await ids({ ...filter, cursor }) : [])];
    };
    const newestFirst = jobs.map(({ id }) => id).reverse();
    expect(await ids({})).toEqual(newestFirst);
    expect(await ids({ states: ['dead', 'queued'] })).toEqual(newestFirst);
    expect(await ids({ states: ['dead'] })).toEqual(newestFirst.slice(4));
    expect(await ids({ states: [] })).toEqual([]);
    expect(await ids({ search: '%_OFF 1' })).toEqual([jobs[1]?.id]);
    expect(await ids({ search: 'message' })).toEqual([]);
    expect(await ids({ search: '50', states: ['dead'] })).toEqual(newestFirst.slice(4));
    expect(await ids({ search: '50', states: ['queued'] })).toEqual([]);
    expect(await ids({ search: '50', states: [] })).toEqual([]);
    expect(await ids({ search: 'list-2' })).toEqual([jobs[2]?.id]);
    expect(await ids({ search: 'ist-2' }), 'ids by how they begin').toEqual([]);
    expect(await ids({ search: 'list-', states: ['dead', 'queued'] })).toEqual(newestFirst);
    expect(await ids({ search: 'Order_1' })).toEqual([jobs[3]?.id, jobs[2]?.id]);
    expect(await ids({ search: 'Order', states: ['dead'] })).toEqual(newestFirst.slice(4));
    expect(await ids({ search: 'Order%' }), 'no pattern').toEqual([]);
    expect((await store.jobs.counts()).filter(({ queue }) => queue === 'list.me')).toEqual([
      { queue: 'list.me', state: 'queued', count: 4 },
    ]);
  });

  it('refuses cursors that it did not give out for the same list', async () => {
    const { store } = bench;
    const { cursor = '' } = await store.jobs.list({ type: 'list.me', limit: 1 });
    expect(cursor).not.toBe('');
    const altered = `${cursor.slice(0, 20)}${cursor[20] === 'A' ? 'B' : 'A'}${cursor.slice(21)}`;
    for (const wrong of ['', 'x', altered, cursor.slice(0, -4), 'y'.repeat(100_000)]) {
      const list = store.jobs.list({ type: 'list.me', limit: 1, cursor: wrong });
      await expect(list).rejects.toThrow(CursorInvalidError);
    }
    await expect(store.jobs.list({ limit: 1, cursor })).rejects.toThrow(CursorInvalidError);
    await expect(store.jobs.log('q', 'i', { limit: 1, cursor })).rejects.toThrow(
      CursorInvalidError,
    );
  });

  it('prunes what ended and needs nobody, the oldest first, and keeps the rest', async () => {
    const { store } = bench;
    const [old, dead, young] = [jobBase('p-old'), jobBase('p-dead'), jobBase('p-young')];
    await store.projection.apply([
      ...lifeOf(old, 10, '1'),
      { ...dead, kind: 'dead', atMs: 10, run: 'r', reason: 'schema' },
      ...lifeOf(young, 4_000_000, '1'),
    ]);
    const prune = () => store.projection.prune({ endedBeforeMs: 500, limit: 100 });
    expect(await prune()).toBeGreaterThan(0);
    expect(await prune()).toBe(0);
    expect(await store.jobs.find(old.id)).toEqual([]);
    expect((await store.jobs.log(old.queue, old.id, { limit: 1 })).items).toEqual([]);
    expect(await store.jobs.attempts(old.queue, old.id)).toEqual([]);
    expect(await store.jobs.find(dead.id)).toHaveLength(1);
    expect(await store.jobs.find(young.id)).toHaveLength(1);
  });
});
