import type { BrokerSession } from '@warren/broker';
import type { ReplaySource } from './replay-source.ts';
import type { Stop } from './take-tally.ts';
import { whyLost } from './why-lost.ts';

/** A job of a canary. */
export interface ReplayedJob {
  readonly id: string;
  /** That it was replayed as. */
  readonly generation: number;
}

/** What became of them so far. */
export interface CanaryOutcome {
  readonly failed: number;
  /** Neither failed nor succeeded, as far as is known. */
  readonly unfinished: number;
}

/** A few that are replayed before the rest. */
export interface Canary {
  readonly count: number;
  /** Resolves when one of them has failed again, when all have ended, or when it has waited long enough. */
  outcome(jobs: readonly ReplayedJob[], signal: AbortSignal): Promise<CanaryOutcome>;
}

/** Where it is tried. */
interface CanaryPlace {
  readonly session: BrokerSession;
  readonly source: ReplaySource;
  readonly signal?: AbortSignal | undefined;
}

/** Undefined when the rest may follow. Never rejects. */
export async function runCanary(
  canary: Canary,
  jobs: readonly ReplayedJob[],
  { session, source, signal }: CanaryPlace,
): Promise<Stop | undefined> {
  if (jobs.length === 0) return undefined;
  const ends = AbortSignal.any([session.lost, ...(signal ? [signal] : [])]);
  try {
    const { failed, unfinished } = await canary.outcome(jobs, ends);
    if (session.lost.aborted) throw session.lost.reason;
    if (failed > 0) {
      const message = `${failed} of the first ${jobs.length} failed again`;
      return { reason: 'canary_failed', message };
    }
    if (signal?.aborted) return { reason: 'interrupted', message: 'it was asked to end' };
    if (unfinished === 0) return undefined;
    const message = `${unfinished} of the first ${jobs.length} did not end in time`;
    return { reason: 'canary_unfinished', message };
  } catch (error) {
    const stop: Stop = { reason: 'channel_lost', message: (error as Error).message };
    return whyLost(stop, session, source);
  }
}

/** How to see failures where there is no history. */
export interface WatchOptions {
  readonly session: BrokerSession;
  readonly source: ReplaySource;
  /** That long nobody may have failed again. */
  readonly waitMs: number;
}
