import { newJobId } from '@warren/contracts';
import { testStores } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

testStores({ describe, beforeAll, afterAll }, (bench) => {
  const jobs = (count: number) =>
    Array.from({ length: count }, () => ({
      queue: 'payment.charge',
      id: newJobId(),
      owner: 'w',
      leaseMs: 60_000,
    }));

  it('gives each of many jobs to one of two processes that ask in opposite orders, and keeps each result', async () => {
    const { claims } = bench.store;
    const { claims: elsewhere } = await bench.open();
    const all = jobs(300);
    const [here, there] = await Promise.all([
      Promise.all(all.map((job) => claims.claim(job))),
      Promise.all(all.toReversed().map((job) => elsewhere.claim(job))),
    ]);
    const both = all.map((_, at) => [here[at]?.kind, there.toReversed()[at]?.kind].sort());
    expect(both).toEqual(all.map(() => ['busy', 'claimed']));

    // While one keeps its results the other asks again for all.
    const [kept] = await Promise.all([
      Promise.all(
        all.map((job, at) => claims.complete({ ...job, token: 1, result: { number: at } })),
      ),
      Promise.all(all.toReversed().map((job) => elsewhere.claim(job))),
    ]);
    expect(kept).toEqual(all.map(() => true));
    const results = await Promise.all(all.map((job) => elsewhere.claim(job)));
    expect(results).toEqual(all.map((_, at) => ({ kind: 'done', result: { number: at } })));
  });

  it('keeps the result of the one that holds a claim, when one that lost it tells its own in the same moment', async () => {
    const { claims } = bench.store;
    for (const order of [
      [1, 2],
      [2, 1],
    ]) {
      const [job] = jobs(1);
      if (!job) throw new Error('no job');
      expect(await claims.claim(job)).toEqual({ kind: 'claimed', token: 1 });
      await claims.release({ ...job, token: 1 });
      expect(await claims.claim(job)).toEqual({ kind: 'claimed', token: 2 });
      const kept = await Promise.all(
        order.map((token) => claims.complete({ ...job, token, result: token })),
      );
      expect(kept).toEqual(order.map((token) => token === 2));
      expect(await claims.claim(job)).toEqual({ kind: 'done', result: 2 });
    }
  });

  it('gives one job that is asked for twice in a moment to one of them', async () => {
    const { claims } = bench.store;
    const [job] = jobs(1);
    if (!job) throw new Error('no job');
    const answers = await Promise.all([claims.claim(job), claims.claim(job), claims.claim(job)]);
    expect(answers.map(({ kind }) => kind)).toEqual(['claimed', 'busy', 'busy']);
  });
});
