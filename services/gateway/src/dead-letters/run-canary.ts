import type { BrokerSession } from '@warren/broker';
import {
  type Canary,
  canaryByHistory,
  type ReplaySource,
  watchDeadQueue,
} from '@warren/dead-letter';
import type { Logger, Metrics } from '@warren/telemetry';
import type { RunRequest } from '../domain/dead-letters/run-desk.ts';
import type { Streams } from '../history-source.ts';

/** What the runs of this process share, as far as a canary needs it. */
interface Shared {
  /** Absent where no history is kept. */
  readonly streams?: Streams | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const CANARY_WAIT_SECONDS = 120;

/** The canary of a run: judged by the history, or by what comes back to `source` where none is kept. */
export function runCanary(
  { streams, logger, metrics }: Shared,
  session: BrokerSession,
  source: ReplaySource,
  { canary, canaryWaitSeconds = CANARY_WAIT_SECONDS }: RunRequest['settings'],
): Canary | undefined {
  if (canary === undefined) return undefined;
  const waitMs = canaryWaitSeconds * 1_000;
  if (!streams) {
    const outcome: Canary['outcome'] = (jobs, signal) =>
      watchDeadQueue({ session, source, waitMs }, jobs, signal);
    return { count: canary, outcome };
  }
  const { broker, names } = streams;
  const from = { broker, stream: names.history, logger, metrics, waitMs };
  return { count: canary, outcome: canaryByHistory(from) };
}
