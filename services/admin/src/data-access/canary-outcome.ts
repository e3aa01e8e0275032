import { Broker, type BrokerSession } from '@warren/broker';
import {
  type Canary,
  canaryByHistory,
  type ReplaySource,
  watchDeadQueue,
} from '@warren/dead-letter';
import { brokerConnection, historyBounds, WARREN_VERSION } from '@warren/runtime';
import { createLogger, createMetrics } from '@warren/telemetry';
import { buildTopology } from '@warren/topology';
import type { Admin } from '../open-session.ts';

interface Parts {
  readonly session: BrokerSession;
  readonly source: ReplaySource;
  readonly hasHistory: boolean;
  readonly waitMs: number;
}

/** Waits for the first few of a replay: by the history where there is one, else by looking at the dead letters. */
export function canaryOutcome(
  { config, shell }: Admin,
  { hasHistory, ...parts }: Parts,
): Canary['outcome'] {
  if (!hasHistory) return (jobs, signal) => watchDeadQueue(parts, jobs, signal);
  const service = 'warren';
  const topology = buildTopology({
    namespace: config.WARREN_NAMESPACE,
    jobTypes: [],
    history: historyBounds(config),
  });
  const broker = new Broker({ connection: brokerConnection(config), service, topology });
  const outcome = canaryByHistory({
    broker,
    stream: topology.names.history,
    logger: createLogger({ service, level: 'error', destination: { write: shell.err } }),
    metrics: createMetrics({ service, version: WARREN_VERSION, processMetrics: false }),
    waitMs: parts.waitMs,
  });
  return (jobs, signal) => outcome(jobs, signal).finally(() => broker.close());
}
