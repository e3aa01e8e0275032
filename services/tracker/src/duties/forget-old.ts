import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '@warren/store';
import type { Logger, Metrics } from '@warren/telemetry';
import type { Duty } from '../repeat.ts';

/** How long things are kept. */
export interface KeepMs {
  /** Jobs that ended, but dead ones. */
  readonly endedJobs: number;
  readonly idempotencyKeys: number;
  /** Claims that ended, and checkpoints whose job did not come back. */
  readonly claims: number;
  /** Keys of limits that nobody has used. */
  readonly limits: number;
}

/** What forgetting needs. */
export interface ForgetDeps {
  readonly store: {
    readonly projection: Pick<Store['projection'], 'prune'>;
    readonly retention: Store['retention'];
  };
  readonly keepMs: KeepMs;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const EVERY_MS = 60_000;
const BATCH = 1_000;
/** Others use the store too. */
const BETWEEN_MS = 50;

/** Forgets what is old, some at a time. */
export function forgetOld({ store, keepMs, logger, metrics }: ForgetDeps): Duty {
  const { projection, retention } = store;
  const { endedJobs, idempotencyKeys, claims, limits } = keepMs;
  const forgetJobs = async () => {
    const endedBeforeMs = Date.now() - endedJobs;
    const count = await projection.prune({ endedBeforeMs, limit: BATCH });
    metrics.jobs_tracker_pruned_total.inc(count);
    return count;
  };
  return {
    everyMs: EVERY_MS,
    async run(signal) {
      const old = (
        what: 'idempotencyKeys' | 'claims' | 'checkpoints' | 'limits',
        olderThanMs: number,
      ) => inBatches(() => retention[what]({ olderThanMs, limit: BATCH }), signal);
      const forgotten = {
        jobs: await inBatches(forgetJobs, signal),
        keys: await old('idempotencyKeys', idempotencyKeys),
        claims: await old('claims', claims),
        unique_keys: await inBatches(() => retention.uniqueKeys({ limit: BATCH }), signal),
        checkpoints: await old('checkpoints', claims),
        limits: await old('limits', limits),
      };
      if (Object.values(forgotten).some((count) => count > 0)) {
        logger.info(forgotten, 'forgot what is old');
      }
    },
  };
}

/** Until there are fewer than a batch. @returns how many there were */
async function inBatches(forget: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (let count = BATCH; count === BATCH && !signal.aborted; total += count) {
    count = await forget();
    if (count === BATCH) await pause(BETWEEN_MS, undefined, { signal }).catch(() => {});
  }
  return total;
}
