import { setTimeout as pause } from 'node:timers/promises';
import type { Jobs } from '@warren/client';
import { newJobId } from '@warren/contracts';
import { probe } from '../fixtures/probe-job.ts';

/** Refusals that come from the faults; any other is a bug and ends the run. */
const REPEATABLE = new Set([
  'BROKER_UNAVAILABLE',
  'BROKER_BLOCKED',
  'PUBLISH_REFUSED',
  'PUBLISH_TIMEOUT',
]);

const PAUSE_MS = 50;

/** What publishers tell of what they do. */
export interface PublishEvents {
  onAccepted(id: string): void;
  onRefused(code: string): void;
}

/** Publishes one job after the other in each of `lanes` lanes while `more`, holding back unless `mayPublish`. */
export async function publishStubbornly(
  jobs: Jobs,
  lanes: number,
  more: () => boolean,
  mayPublish: () => boolean,
  events: PublishEvents,
): Promise<void> {
  const lane = async () => {
    while (more()) {
      if (mayPublish()) events.onAccepted(await publishOne(jobs, events));
      else await pause(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Repeats a refused publish with the same id, as the errors advise. */
async function publishOne(jobs: Jobs, events: PublishEvents): Promise<string> {
  const id = newJobId();
  for (;;) {
    try {
      await jobs.publish(probe, {}, { id });
      return id;
    } catch (error) {
      const code = String((error as { code?: unknown }).code);
      if (!REPEATABLE.has(code)) throw error;
      events.onRefused(code);
      await pause(PAUSE_MS);
    }
  }
}
