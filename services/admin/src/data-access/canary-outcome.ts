import { Broker, type BrokerSession } from '@warren/broker';
import {
  type Canary,
  type CanaryOutcome,
  type ReplayedJob,
  type ReplaySource,
  watchDeadQueue,
} from '@warren/dead-letter';
import { type HistoryEvent, HistoryReader } from '@warren/history';
import { brokerConnection, historyBounds, WARREN_VERSION } from '@warren/runtime';
import { createLogger, createMetrics } from '@warren/telemetry';
import { buildTopology } from '@warren/topology';
import { CanaryEnds } from '../domain/canary-ends.ts';
import type { Admin } from '../open-session.ts';

interface Parts {
  readonly session: BrokerSession;
  readonly source: ReplaySource;
  readonly hasHistory: boolean;
  readonly waitMs: number;
}

/** Waits for the first few of a replay: by the history where there is one, else by looking at the dead letters. */
export function canaryOutcome(admin: Admin, parts: Parts): Canary['outcome'] {
  if (!parts.hasHistory) return (jobs, signal) => watchDeadQueue(parts, jobs, signal);
  const sinceMs = Date.now();
  return async (jobs, signal) => {
    const ends = new CanaryEnds();
    const close = listen(admin, sinceMs, (event) => ends.tell(event));
    try {
      return await untilEnded(ends, jobs, parts.waitMs, signal);
    } finally {
      await close();
    }
  };
}

async function untilEnded(
  ends: CanaryEnds,
  jobs: readonly ReplayedJob[],
  waitMs: number,
  signal: AbortSignal,
): Promise<CanaryOutcome> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  for (;;) {
    const outcome = ends.outcomeOf(jobs);
    if (outcome.failed > 0 || outcome.unfinished === 0 || over.aborted) return outcome;
    await ends.news(over);
  }
}

/** Hears what was told since then. Returns how to end that. */
function listen(
  { config, shell }: Admin,
  sinceMs: number,
  onEvent: (event: HistoryEvent) => void,
): () => Promise<void> {
  const service = 'warren';
  const logger = createLogger({ service, level: 'error', destination: { write: shell.err } });
  const metrics = createMetrics({ service, version: WARREN_VERSION, processMetrics: false });
  const topology = buildTopology({
    namespace: config.WARREN_NAMESPACE,
    jobTypes: [],
    history: historyBounds(config),
  });
  const broker = new Broker({ connection: brokerConnection(config), service, topology });
  const reader = new HistoryReader({
    broker,
    stream: topology.names.history,
    from: { sinceMs },
    logger,
    metrics,
    onBatch: async ({ events }) => {
      for (const event of events) onEvent(event);
    },
  });
  reader.start();
  return async () => {
    await reader.close();
    await broker.close();
  };
}
