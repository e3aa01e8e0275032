import type { LetterProgress, ReplayReport } from '@warren/dead-letter';
import type { Metrics } from '@warren/telemetry';

/** Counts what one replay does. */
export interface MeteredReplay {
  /** Takes what a replay tells of how far it is. */
  progress(progress: LetterProgress): void;
  /** Whatever it comes to; without a report where it failed as a whole. */
  end(report?: ReplayReport): void;
}

/** Counts replays in the background. Series of the queues that it is given exist from the start. */
export class ReplayMeter {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics, deadQueues: readonly string[]) {
    this.#metrics = metrics;
    for (const queue of deadQueues) {
      metrics.jobs_replay_in_progress.labels({ queue });
      metrics.jobs_replay_total.labels({ queue, outcome: 'replayed' });
      metrics.jobs_replay_total.labels({ queue, outcome: 'skipped' });
      metrics.jobs_replay_total.labels({ queue, outcome: 'failed' });
    }
  }

  /** One has its queue to itself. */
  begin(queue: string): MeteredReplay {
    const { jobs_replay_in_progress: inProgress, jobs_replay_total: total } = this.#metrics;
    const last = this.#metrics.jobs_replay_last_progress_timestamp_seconds.labels({ queue });
    const gotFurther = () => last.set(Date.now() / 1_000);
    let seen: Pick<LetterProgress, 'step' | 'done'> = { step: 'choosing', done: 0 };
    let counted = 0;
    const countTo = (replayed: number) => {
      total.inc({ queue, outcome: 'replayed' }, Math.max(0, replayed - counted));
      counted = Math.max(counted, replayed);
    };
    inProgress.inc({ queue });
    gotFurther();
    return {
      progress({ step, done, waitingFor }) {
        // Told twice a second, whether or not anything was done. One that waits on purpose is not stuck.
        if (waitingFor !== undefined || step !== seen.step || done !== seen.done) gotFurther();
        seen = { step, done };
        if (step === 'taking') countTo(done);
      },
      end(report) {
        inProgress.dec({ queue });
        if (!report) return;
        countTo(report.replayed);
        total.inc({ queue, outcome: 'skipped' }, report.left + report.cameBack);
        total.inc({ queue, outcome: 'failed' }, report.unknown);
      },
    };
  }
}
