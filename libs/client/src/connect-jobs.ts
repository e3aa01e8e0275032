import {
  Broker,
  type ConnectionSettings,
  type OutgoingMessage,
  type PublisherOptions,
  type PublishOutcome,
} from '@warren/broker';
import type { EventDefinition, JobDefinition } from '@warren/contracts';
import {
  initialisePublishMetrics,
  type Logger,
  type Metrics,
  observeConnections,
} from '@warren/telemetry';
import { buildTopology } from '@warren/topology';
import { ClientHistory, type ClientHistoryOptions } from './client-history.ts';
import { countPublishes } from './count-publishes.ts';
import { DepthWatch } from './depth-watch.ts';
import { Jobs } from './jobs.ts';
import { PunctualOutlet } from './outbox/outlet.ts';
import { showPublisher } from './publish-gauges.ts';

/** What `connectJobs` needs. */
export interface ConnectJobsOptions {
  readonly connection: ConnectionSettings;
  /** Name of the publishing service: `appId` of its messages, and its name in the broker's console. */
  readonly service: string;
  readonly namespace?: string | undefined;
  /** The job types that may be published. */
  readonly jobs: readonly JobDefinition[];
  /** The events that may be emitted. Default: none. */
  readonly events?: readonly EventDefinition[] | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly publish?: PublisherOptions | undefined;
  /**
   * Tells the history of each job that is queued, and lets it be cancelled and waited for. A publish never waits for it. Default
   * false.
   */
  readonly history?: boolean | ClientHistoryOptions | undefined;
}

/**
 * A client to publish jobs with. Resolves at once, also while the broker is away: it connects by itself, now or later,
 * and `readiness()` says how it stands.
 * @throws ConfigInvalidError naming the setting
 */
export async function connectJobs(options: ConnectJobsOptions): Promise<Jobs> {
  const { connection, service, namespace, jobs, events = [], logger, metrics } = options;
  const historyOptions = toHistoryOptions(options.history);
  const topology = buildTopology({
    ...(namespace !== undefined && { namespace }),
    history: historyOptions,
    jobTypes: jobs,
  });
  const { names } = topology;
  for (const { type } of jobs) {
    initialisePublishMetrics(metrics, { exchange: names.jobs, jobType: type });
  }
  for (const { type } of events) {
    initialisePublishMetrics(metrics, { exchange: names.events, jobType: type });
  }
  const count = countPublishes(metrics, names);
  const onOutcome = (
    message: OutgoingMessage,
    outcome: PublishOutcome,
    elapsedMs: number,
    error?: Error,
  ) => {
    count(message, outcome, elapsedMs, error);
    if (history && outcome === 'confirmed' && message.exchange !== names.events) {
      history.confirmed(message);
    }
  };
  const broker = new Broker({
    connection,
    service,
    topology,
    publisher: options.publish,
    events: { ...observeConnections(logger, metrics), onOutcome },
  });
  const { spool } = historyOptions ?? {};
  const history =
    historyOptions &&
    new ClientHistory({ broker, service, logger, metrics, publish: options.publish, spool });
  return new Jobs(
    broker,
    { service, names },
    {
      jobs,
      events,
      history,
      depths: new DepthWatch({
        ask: async (queue) => (await broker.figures([queue])).get(queue)?.ready,
        nowMs: () => performance.now(),
      }),
      onFull: (jobType) =>
        metrics.jobs_published_total.inc({
          exchange: names.jobs,
          job_type: jobType,
          outcome: 'error',
        }),
      openOutlet: (publisher) =>
        new PunctualOutlet(broker.openPublisher(publisher, onOutcome), names),
      onClosed: showPublisher(metrics, names.jobs, broker.publisher),
    },
  );
}

function toHistoryOptions(
  history: ConnectJobsOptions['history'],
): ClientHistoryOptions | undefined {
  if (typeof history === 'object') return history;
  return history === true ? {} : undefined;
}
