import type { OutgoingMessage, PublishOutcome } from '@warren/broker';
import { type Metrics, sendMeter } from '@warren/telemetry';
import type { Names } from '@warren/topology';

/**
 * Counts publishes by the name of the job or event; a delayed one counts as its exchange, not as the tier that it waits in.
 * Handles are kept: looking labels up costs more than counting. OpenTelemetry's metrics, where they are collected, too.
 */
export function countPublishes(metrics: Metrics, names: Names) {
  const confirmed = new Map<
    string,
    { count: { inc(): void }; seconds: { observe(s: number): void } }
  >();
  const meter = sendMeter(metrics);
  return (message: OutgoingMessage, outcome: PublishOutcome, elapsedMs: number, error?: Error) => {
    meter?.ended(message, outcome, elapsedMs, error);
    const jobType = message.properties.type ?? message.routingKey;
    const exchange = message.exchange === names.events ? names.events : names.jobs;
    if (outcome !== 'confirmed') {
      metrics.jobs_published_total.inc({ exchange, job_type: jobType, outcome });
      return;
    }
    const key = `${exchange} ${jobType}`;
    let handles = confirmed.get(key);
    if (!handles) {
      handles = {
        count: metrics.jobs_published_total.labels({ exchange, job_type: jobType, outcome }),
        seconds: metrics.jobs_publish_confirm_seconds.labels({ exchange }),
      };
      confirmed.set(key, handles);
    }
    handles.count.inc();
    handles.seconds.observe(elapsedMs / 1_000);
  };
}
