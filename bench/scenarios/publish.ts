import { BareInstallation } from '../bare.ts';
import { barePublishRate } from '../bare-publish-rate.ts';
import type { Scenario } from '../compare.ts';
import { kitClient, kitPublish } from '../kit.ts';

const COUNT = 50_000;

/** Confirmed, mandatory publishes, 1,000 in flight. */
export function publish(url: string): Scenario[] {
  const namespace = 'benchpublish';
  const bare = new BareInstallation(url, namespace);
  return [
    {
      name: 'publish',
      unit: 'jobs/s',
      target: 0.9,
      subject: {
        name: 'warren',
        async run() {
          const jobs = await kitClient(url, namespace);
          const startedAt = performance.now();
          await kitPublish(jobs, COUNT);
          const seconds = (performance.now() - startedAt) / 1_000;
          await jobs.close();
          await bare.dispose();
          return COUNT / seconds;
        },
      },
      against: {
        name: 'amqplib',
        run: () => barePublishRate(url, namespace, COUNT),
      },
    },
  ];
}
