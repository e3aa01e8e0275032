import { HistoryReader, type HistoryReaderOptions } from '@warren/history';
import type { Canary, CanaryOutcome, ReplayedJob } from './canary.ts';
import { CanaryEnds } from './canary-ends.ts';

/** Where the ends of replayed jobs are heard of. */
export interface CanaryByHistoryOptions
  extends Pick<HistoryReaderOptions, 'broker' | 'stream' | 'logger' | 'metrics'> {
  readonly waitMs: number;
}

/** Waits for the first few of a replay by what the history tells from now on. */
export function canaryByHistory({ waitMs, ...from }: CanaryByHistoryOptions): Canary['outcome'] {
  const sinceMs = Date.now();
  return async (jobs, signal) => {
    const ends = new CanaryEnds();
    const reader = new HistoryReader({
      ...from,
      from: { sinceMs },
      onBatch: async ({ events }) => {
        for (const event of events) ends.tell(event);
      },
    });
    reader.start();
    try {
      return await untilEnded(ends, jobs, waitMs, signal);
    } finally {
      await reader.close();
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
