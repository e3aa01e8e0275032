import { newJobId } from '@warren/contracts';
import { eventually } from '@warren/testing';
import { describe, expect, it } from 'vitest';
import { fingerprint, rebuild } from './support/rebuilding.ts';
import { inState, lifeOf, setUp, stateOf } from './support/tracked.ts';

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe.concurrent('a rebuild', () => {
  it('says when there is none to rebuild the store', async (context) => {
    const { bench, namespace, track, tell } = await setUp(context);
    const id = newJobId();
    await bench.store.projection.apply(lifeOf(1, id));
    await tell(lifeOf(1, id));
    expect(await rebuild(namespace)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No tracker is running') as string,
    });
    expect(await stateOf(bench.store, id)).toBeUndefined();
    await track();
    await inState(bench.store, id, 'succeeded');
  });

  it.for([1, 2])(
    'trackers that are cut off at any moment write what a rebuild writes (seed %i)',
    async (seed, context) => {
      const { bench, namespace, track, tell } = await setUp(context);
      const random = randomFrom(seed);
      const jobs = 2_000;
      const trackers = [await track(), await track()];
      const written = async () => {
        const [row] = await bench.sql(
          'SELECT count(*)::int AS jobs FROM projection.jobs WHERE finished_at_ms > 0',
        );
        return Number(row?.['jobs']);
      };
      const telling = (async () => {
        for (let from = 0; from < jobs; from += 250) {
          const lives = Array.from({ length: 250 }, (_, index) => lifeOf(from + index));
          // Jobs run beside each other.
          await tell(lives.flat().sort(() => random() - 0.5));
        }
      })();
      for (let cuts = 0; cuts < 8; cuts += 1) {
        const until = Math.min(jobs - 1, ((cuts + random()) * jobs) / 8);
        await eventually(`${until} jobs`, async () => (await written()) >= until);
        for (const { database, broker } of trackers) {
          if (random() < 0.7) database.cut();
          if (random() < 0.3) broker.cut();
        }
      }
      await telling;
      await eventually('all jobs have ended', async () => (await written()) === jobs);
      const before = await fingerprint(bench.sql.bind(bench));
      const rebuilt = await rebuild(namespace);
      expect(rebuilt.stdout).toMatch(/^Rebuilt: \d+ rows in [\d.]+ s, \d+ rows\/s\.$/m);
      expect(rebuilt.code).toBe(0);
      expect(await fingerprint(bench.sql.bind(bench))).toEqual(before);
      expect(before).toMatchObject({ jobs: { rows: jobs }, logs: { rows: jobs / 4 } });
    },
  );
});
