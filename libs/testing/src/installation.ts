import { type ConnectJobsOptions, connectJobs, type Jobs } from '@warren/client';
import type { EventDefinition, JobDefinition } from '@warren/contracts';
import type { Metrics } from '@warren/telemetry';
import { buildTopology, type Topology } from '@warren/topology';
import {
  createWorker,
  type HandlerRegistration,
  type Worker,
  type WorkerOptions,
} from '@warren/worker';
import { AmqpAdmin } from './amqp-admin.ts';
import { sharedBrokerUrl } from './broker-url.ts';
import { eventually } from './eventually.ts';
import { deleteTopology, newNamespace } from './namespace.ts';
import { quietTelemetry } from './quiet-telemetry.ts';

/** An installation of the kit in a namespace of its own, with what tests need to use, watch and end it. */
export interface Installation {
  readonly url: string;
  readonly namespace: string;
  readonly topology: Topology;
  readonly admin: AmqpAdmin;
  readonly metrics: Metrics;
  readonly lines: readonly Record<string, unknown>[];
  /** A client that can publish all job types and emit all events. */
  connect(options?: Partial<ConnectJobsOptions>): Promise<Jobs>;
  /** A worker that is started and consumes. */
  work(handlers: readonly HandlerRegistration[], options?: Partial<WorkerOptions>): Promise<Worker>;
  /** Ends what was started through this, and deletes the namespace at the broker if others share that. */
  dispose(): Promise<void>;
}

/** What an installation has besides job types. */
export interface InstallOptions {
  /** Default: the shared broker. */
  readonly url?: string;
  readonly events?: readonly EventDefinition[];
  /** Names of the subscribers that workers of the test may declare, so that `dispose` finds their queues. */
  readonly subscribers?: readonly string[];
  /** Whether `topology` has the streams of the history. Default false. */
  readonly history?: boolean;
}

/** Makes an installation on the shared broker, or on the one at `url`. */
export async function install(
  jobs: readonly JobDefinition[],
  { url = sharedBrokerUrl(), events = [], subscribers = [], history = false }: InstallOptions = {},
): Promise<Installation> {
  const namespace = newNamespace();
  const parts = {
    namespace,
    jobTypes: jobs,
    subscribers: subscribers.map((name) => ({ name, patterns: ['#'] })),
    ...(history && { history: {} }),
  };
  const withStreams = buildTopology({ ...parts, history: {} });
  const topology = history ? withStreams : buildTopology(parts);
  const telemetry = quietTelemetry();
  const admin = await AmqpAdmin.connect(url);
  const endings: (() => Promise<void>)[] = [];
  const common = { connection: { urls: [url] }, namespace, service: 'test', ...telemetry };
  return {
    url,
    namespace,
    topology,
    admin,
    metrics: telemetry.metrics,
    lines: telemetry.lines,
    async connect(options = {}) {
      const client = await connectJobs({ ...common, jobs, events, ...options });
      endings.push(() => client.close());
      return client;
    },
    async work(handlers, options = {}) {
      const worker = createWorker({
        ...common,
        handlers,
        history,
        shutdownGraceMs: 2_000,
        ...options,
      });
      endings.push(() => worker.stop());
      await worker.start();
      await eventually('the worker consumes', () => worker.readiness().ready);
      return worker;
    },
    async dispose() {
      for (const end of endings.reverse()) await end();
      await admin.close();
      // A broker of the test's own ends with it; one of 3.10 may be harmed by the deletion (docs/operations.md).
      if (url === sharedBrokerUrl()) await deleteTopology(url, withStreams);
    },
  };
}
