import { type Jitter, MAX_DELAY_MS, type RetryPolicy } from '@warren/contracts';

/**
 * How long to wait after a failed attempt: whole milliseconds, from 0 to `MAX_DELAY_MS`.
 * @param failedAttempt number of the attempt that failed, from 1
 * @param random a number from 0 up to, not including, 1
 */
export function backoffDelayMs(
  policy: RetryPolicy['backoff'],
  failedAttempt: number,
  random: () => number,
): number {
  const failures = Math.max(failedAttempt || 1, 1);
  const delayMs = Math.min(plainDelayMs(policy, failures), MAX_DELAY_MS);
  return Math.round(withJitter(delayMs, policy.jitter, random));
}

function plainDelayMs(policy: RetryPolicy['backoff'], failures: number): number {
  switch (policy.kind) {
    case 'fixed':
      return policy.delayMs;
    case 'linear':
      return Math.min(policy.stepMs * failures, policy.maxMs);
    case 'exponential':
      return exponentialMs(policy.initialMs, policy.factor ** (failures - 1), policy.maxMs);
    case 'steps':
      return policy.delaysMs[failures - 1] ?? policy.delaysMs.at(-1) ?? 0;
  }
}

/** The growth may be Infinity: the cap takes care of that, but Infinity times 0 would be NaN. */
function exponentialMs(initialMs: number, growth: number, maxMs: number): number {
  return initialMs === 0 ? 0 : Math.min(initialMs * growth, maxMs);
}

function withJitter(delayMs: number, jitter: Jitter, random: () => number): number {
  switch (jitter) {
    case 'none':
      return delayMs;
    case 'equal':
      return delayMs / 2 + (delayMs / 2) * random();
    case 'full':
      return Math.min(delayMs, Math.max(1, delayMs * random()));
  }
}
