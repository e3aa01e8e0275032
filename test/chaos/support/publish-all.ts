import type { Jobs } from '@warren/client';
import { type Probe, probe } from '../fixtures/probe-job.ts';

/** Publishes `count` probes and resolves with their ids once all are confirmed. */
export async function publishAll(jobs: Jobs, count: number, payload: Probe): Promise<string[]> {
  const published = await Promise.all(
    Array.from({ length: count }, () => jobs.publish(probe, payload)),
  );
  return published.map(({ id }) => id);
}
