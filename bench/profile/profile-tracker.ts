import { setTimeout as pause } from 'node:timers/promises';
import { countTo } from '../measure/workload.ts';
import { payload } from '../payload.ts';
import { StoreTables } from '../postgres.ts';
import { spawnProgram, stopProgram } from '../programs.ts';
import { warren } from '../systems/own-systems.ts';
import { type JobSystem, payloadsOf } from '../systems/system.ts';
import type { ProfileOptions } from './command-line.ts';
import { flagsToRecord, recordService } from './record-service.ts';
import type { Recording } from './recorder.ts';
import { type Profiling, warmUpOf } from './subject.ts';

const NAMESPACE = 'benchprofiletracker';
const LOOK_MS = 200;

/**
 * The tracker while it reads what publisher and worker have told of jobs, all of which is in the stream before it begins: so it
 * never waits for them, and takes as much at once as it may.
 * @returns the jobs that it wrote down meanwhile
 */
export async function profileTracker({ options, recording }: Profiling): Promise<number> {
  const { url, databaseUrl, count, concurrency } = options;
  const system = warren(url, NAMESPACE, { history: true });
  const warmUp = warmUpOf(options);
  const all = warmUp + count;
  // A history that an earlier run left would be read, too.
  await system.dispose();
  const tables = await StoreTables.openFresh(databaseUrl, NAMESPACE);
  try {
    await system.prepare();
    await tellOf(system, all, concurrency);
    const tracker = startTracker(options, recording);
    try {
      await succeeded(tables, warmUp, tracker);
      const end = await recordService(tracker, recording);
      const before = await tables.succeeded();
      await succeeded(tables, all, tracker);
      await end();
      return all - before;
    } finally {
      await stopProgram(tracker);
    }
  } finally {
    await system.dispose();
    await tables.dispose();
  }
}

function startTracker({ url, databaseUrl }: ProfileOptions, recording: Recording) {
  const tracker = spawnProgram({
    path: 'services/tracker/src/main.ts',
    env: { AMQP_URL: url, WARREN_NAMESPACE: NAMESPACE, DATABASE_URL: databaseUrl },
    flags: flagsToRecord(recording),
  });
  tracker.stdout?.resume();
  return tracker;
}

/** Publishes and handles so many jobs, which leaves their history. */
async function tellOf(system: JobSystem, count: number, concurrency: number): Promise<void> {
  const counter = countTo(count);
  const worker = await system.worker(counter.count, concurrency);
  const publisher = await system.publisher();
  await Promise.all([counter.reached, publisher.publishMany(count, payloadsOf(payload))]);
  await publisher.close();
  await worker.stop();
}

/** Resolves when so many jobs succeeded, by what the tracker has written. */
async function succeeded(
  tables: StoreTables,
  goal: number,
  tracker: { readonly exitCode: number | null },
): Promise<void> {
  while ((await tables.succeeded()) < goal) {
    if (tracker.exitCode !== null) throw new Error(`it ended with ${tracker.exitCode}`);
    await pause(LOOK_MS);
  }
}
