import { type BrokerConnection, brokerConnection } from './broker-connection.ts';
import { historyBounds } from './history-bounds.ts';
import type { ConfigOf } from './setting.ts';
import type { brokerSettings, historySettings, opsSettings } from './shared-settings.ts';
import type { workerSettings } from './worker-settings.ts';

/** Variables of every process that handles jobs. */
export type WorkerConfig = ConfigOf<
  typeof opsSettings &
    typeof brokerSettings &
    typeof historySettings &
    ReturnType<typeof workerSettings>
>;

/** What of a worker's options the environment decides. */
export interface WorkerEnvironment {
  readonly connection: BrokerConnection;
  readonly namespace: string | undefined;
  readonly history: false | ReturnType<typeof historyBounds>;
  readonly concurrency: Readonly<Record<string, number>> | undefined;
  readonly prefetch: Readonly<Record<string, number>> | undefined;
  readonly consumerTimeoutMs: number;
  readonly shutdownGraceMs: number;
}

/**
 * What of a worker's options the environment decides, all of it: spread into `createWorker`, none can be forgotten, and
 * a configuration without `workerSettings` is no argument for it.
 */
export function workerEnvironment(config: WorkerConfig): WorkerEnvironment {
  return {
    connection: brokerConnection(config),
    namespace: config.WARREN_NAMESPACE,
    history: config.WARREN_HISTORY && historyBounds(config),
    concurrency: config.CONCURRENCY,
    prefetch: config.PREFETCH,
    consumerTimeoutMs: config.CONSUMER_TIMEOUT_SECONDS * 1_000,
    shutdownGraceMs: config.SHUTDOWN_GRACE_SECONDS * 1_000,
  };
}
