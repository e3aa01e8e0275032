import { type HistoryEvent, WORKER_SILENT } from '@warren/history';
import type { Projection, RunningJob } from '@warren/store';
import type { Logger, Metrics } from '@warren/telemetry';
import type { RunWatch } from '../domain/run-watch.ts';
import type { Duty } from '../repeat.ts';

/** What telling of abandoned runs needs. */
export interface ReportDeps {
  readonly projection: Pick<Projection, 'running'>;
  readonly watch: RunWatch;
  readonly silenceMs: number;
  /** Are heartbeats heard as they come, and could workers send theirs? */
  isListening(nowMs: number): boolean;
  record(event: HistoryEvent): void;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Looks in one silence: what is noticed late is noticed by so much of it at most. */
const LOOKS = 8;
const MAX_RUNNING = 20_000;

/** Tells of runs that nobody does any more; they are read back from the stream like all that happens. */
export function reportAbandoned(deps: ReportDeps): Duty {
  let sinceMs: number | undefined;
  return {
    everyMs: deps.silenceMs / LOOKS,
    async run() {
      const nowMs = Date.now();
      sinceMs = deps.isListening(nowMs) ? (sinceMs ?? nowMs) : undefined;
      if (sinceMs === undefined) return;
      const running = await deps.projection.running({ limit: MAX_RUNNING });
      for (const job of deps.watch.abandoned(running, { nowMs, sinceMs })) report(deps, job, nowMs);
    },
  };
}

function report(
  { record, logger, metrics }: ReportDeps,
  { worker, startedAtMs: _, ...job }: RunningJob,
  atMs: number,
): void {
  record({ ...job, kind: 'interrupted', atMs, reason: WORKER_SILENT });
  metrics.jobs_tracker_interrupted_total.inc();
  logger.warn(
    { job_id: job.id, queue: job.queue, worker },
    'a run has no worker any more: it is interrupted until the job is delivered again',
  );
}
