import { migrateStore, openStore, type StoreOptions } from '@warren/store';
import { createWorker, handle } from '@warren/worker';
import { BareInstallation } from '../bare.ts';
import type { Scenario } from '../compare.ts';
import { benchJob } from '../job.ts';
import { kitClient, kitOptions, kitPublish } from '../kit.ts';
import { ratioAtLeast } from '../target.ts';

const NAMESPACE = 'benchonce';
const COUNT = 3_000;
const CONCURRENCY = 50;

/**
 * What it costs that a job runs once: its claim is committed before its handler runs, its result before its ack. Measured where
 * the environment names a store, `DATABASE_URL`; else there is nothing to compare.
 */
export function once(url: string): Scenario[] {
  const { DATABASE_URL: databaseUrl } = process.env;
  if (databaseUrl === undefined) return [];
  const { logger } = kitOptions(url, NAMESPACE);
  const store = { databaseUrl, dataDir: '', namespace: NAMESPACE, logger };
  const side = (isOnce: boolean) => ({
    name: isOnce ? 'warren, once' : 'warren',
    run: async () => ({ rate: await endToEnd(url, store, isOnce) }),
  });
  return [
    {
      name: 'once',
      figures: { rate: { unit: 'jobs/s' } },
      contestants: [side(true), side(false)],
      pairs: [{ subject: 'warren, once', against: 'warren', targets: { rate: ratioAtLeast(0.1) } }],
    },
  ];
}

async function endToEnd(url: string, options: StoreOptions, isOnce: boolean): Promise<number> {
  const store = await openStore(options);
  await store.ping();
  let handled = 0;
  const worker = createWorker({
    ...kitOptions(url, NAMESPACE),
    claims: store.claims,
    handlers: [
      handle(
        { ...benchJob, once: isOnce },
        () => {
          handled += 1;
          if (handled > COUNT) onEnd();
        },
        { concurrency: CONCURRENCY },
      ),
    ],
  });
  let onEnd: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    onEnd = resolve;
  });
  await worker.start();
  const jobs = await kitClient(url, NAMESPACE);
  const startedAt = performance.now();
  await Promise.all([kitPublish(jobs, COUNT), ended]);
  const seconds = (performance.now() - startedAt) / 1_000;
  await jobs.close();
  await worker.stop();
  await store.close();
  await new BareInstallation(url, NAMESPACE).dispose();
  await migrateStore(options, 0);
  return COUNT / seconds;
}
