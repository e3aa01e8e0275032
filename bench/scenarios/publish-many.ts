import { BareInstallation } from '../bare.ts';
import { barePublishRate } from '../bare-publish-rate.ts';
import type { Scenario } from '../compare.ts';
import { kitClient } from '../kit.ts';
import { benchJob, payload } from '../payload.ts';

const COUNT = 50_000;

/** Many jobs out of one async iterable, each with its result, against a loop that keeps as many publishes in flight. */
export function publishMany(url: string): Scenario[] {
  const namespace = 'benchmany';
  const bare = new BareInstallation(url, namespace);
  return [
    {
      name: 'publishMany',
      unit: 'jobs/s',
      target: 0.9,
      subject: {
        name: 'warren',
        async run() {
          const jobs = await kitClient(url, namespace);
          const startedAt = performance.now();
          for await (const result of jobs.publishMany(benchJob, payloads())) {
            if ('error' in result) throw result.error;
          }
          const seconds = (performance.now() - startedAt) / 1_000;
          await jobs.close();
          await bare.dispose();
          return COUNT / seconds;
        },
      },
      against: {
        name: 'amqplib, windowed loop',
        run: () => barePublishRate(url, namespace, COUNT),
      },
    },
  ];
}

async function* payloads(): AsyncGenerator<typeof payload, void, undefined> {
  for (let count = 0; count < COUNT; count += 1) yield payload;
}
