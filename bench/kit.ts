import { connectJobs, type Jobs } from '@warren/client';
import { createLogger, createMetrics } from '@warren/telemetry';
import { createWorker, handle, type JobHandler, type Worker } from '@warren/worker';
import { benchJob } from './job.ts';
import { payload } from './payload.ts';
import { WINDOW } from './systems/system.ts';

/** What a scenario may switch on. */
export interface KitSwitches {
  /** Whether publisher and worker tell the history. */
  readonly history?: boolean;
}

/** Everything on, as in a service; only the log is kept off the terminal. */
export function kitOptions(url: string, namespace: string) {
  return {
    connection: { urls: [url] },
    service: 'bench',
    namespace,
    logger: createLogger({ service: 'bench', level: 'info', destination: { write: () => {} } }),
    metrics: createMetrics({ service: 'bench', version: '0' }),
  };
}

export async function kitClient(
  url: string,
  namespace: string,
  { history = false }: KitSwitches = {},
): Promise<Jobs> {
  const options = { ...kitOptions(url, namespace), history };
  const jobs = await connectJobs({ ...options, jobs: [benchJob] });
  await jobs.publish(benchJob, payload);
  return jobs;
}

export async function kitWorker(
  url: string,
  namespace: string,
  handler: JobHandler<typeof benchJob>,
  concurrency: number,
  { history = false }: KitSwitches = {},
): Promise<Worker> {
  const worker = createWorker({
    ...kitOptions(url, namespace),
    history,
    handlers: [handle(benchJob, handler, { concurrency })],
  });
  await worker.start();
  return worker;
}

/** Publishes `count` jobs with at most WINDOW not yet answered. */
export async function kitPublish(jobs: Jobs, count: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let sent = 0;
    let confirmed = 0;
    const onConfirm = () => {
      confirmed += 1;
      if (confirmed === count) resolve();
      else fill();
    };
    const fill = () => {
      while (sent < count && sent - confirmed < WINDOW) {
        sent += 1;
        jobs.publish(benchJob, payload).then(onConfirm, reject);
      }
    };
    fill();
  });
}
