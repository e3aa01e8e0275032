import { describe, expect, it } from 'vitest';
import { ConfigInvalidError } from './errors.ts';
import { type BackoffOptions, type RetryOptions, resolveRetryPolicy } from './retry-policy.ts';

const resolveBackoff = (backoff: BackoffOptions) => resolveRetryPolicy({ backoff }).backoff;

/** The option that is named when these options are refused. */
function refusedOption(options: unknown): string {
  try {
    resolveRetryPolicy(options as RetryOptions);
  } catch (error) {
    if (error instanceof ConfigInvalidError) return error.setting;
    throw error;
  }
  return 'accepted';
}

describe('resolveRetryPolicy', () => {
  it('retries four times with growing delays by default', () => {
    const backoff = { kind: 'exponential', initialMs: 1_000, factor: 2, maxMs: 600_000 };
    expect(resolveRetryPolicy()).toEqual({
      maxAttempts: 5,
      backoff: { ...backoff, jitter: 'equal' },
    });
  });

  it('resolves each kind of backoff', () => {
    expect(resolveBackoff({ kind: 'fixed', delay: '5s' })).toEqual({
      kind: 'fixed',
      delayMs: 5_000,
      jitter: 'none',
    });
    expect(resolveBackoff({ kind: 'linear', step: '5s', max: '1m', jitter: 'full' })).toEqual({
      kind: 'linear',
      stepMs: 5_000,
      maxMs: 60_000,
      jitter: 'full',
    });
    expect(resolveBackoff({ kind: 'steps', delays: ['1s', '1m'] })).toEqual({
      kind: 'steps',
      delaysMs: [1_000, 60_000],
      jitter: 'none',
    });
  });

  it('lets no default maximum shorten the first delay', () => {
    expect(resolveBackoff({ kind: 'exponential', initial: '2h' })).toMatchObject({
      maxMs: 7_200_000,
    });
    expect(resolveBackoff({ kind: 'linear', step: '2h' })).toMatchObject({ maxMs: 7_200_000 });
  });

  it('is frozen', () => {
    const policy = resolveRetryPolicy();
    expect(Object.isFrozen(policy)).toBe(true);
    expect(Object.isFrozen(policy.backoff)).toBe(true);
  });

  const exponential = { kind: 'exponential', initial: '1s' };

  it.each<[string, unknown]>([
    ['retry', 5],
    ['retry', null],
    ['retry.attempts', { attempts: 5 }],
    ['retry.maxAttempts', { maxAttempts: 0 }],
    ['retry.maxAttempts', { maxAttempts: 1_001 }],
    ['retry.maxAttempts', { maxAttempts: 1.5 }],
    ['retry.maxAttempts', { maxAttempts: '5' }],
    ['retry.maxAttempts', { maxAttempts: NaN }],
    ['retry.backoff.kind', { backoff: 'exponential' }],
    ['retry.backoff.kind', { backoff: { kind: 'random' } }],
    ['retry.backoff.jitter', { backoff: { ...exponential, jitter: 'some' } }],
    ['retry.backoff.delay', { backoff: { kind: 'fixed' } }],
    ['retry.backoff.delay', { backoff: { kind: 'fixed', delay: '25h' } }],
    ['retry.backoff.max', { backoff: { kind: 'fixed', delay: '1s', max: '5s' } }],
    ['retry.backoff.step', { backoff: { kind: 'linear', step: 5 } }],
    ['retry.backoff.max', { backoff: { kind: 'linear', step: '5s', max: '4s' } }],
    ['retry.backoff.initial', { backoff: { kind: 'exponential', initial: '1x' } }],
    ['retry.backoff.factor', { backoff: { ...exponential, factor: 0.9 } }],
    ['retry.backoff.factor', { backoff: { ...exponential, factor: '2' } }],
    ['retry.backoff.max', { backoff: { ...exponential, max: '0.5s' } }],
    ['retry.backoff.maxDelay', { backoff: { ...exponential, maxDelay: '5s' } }],
    ['retry.backoff.delays', { backoff: { kind: 'steps', delays: [] } }],
    ['retry.backoff.delays', { backoff: { kind: 'steps', delays: '5s' } }],
    ['retry.backoff.delays[1]', { backoff: { kind: 'steps', delays: ['1s', '2x'] } }],
  ])('names %s in %j', (option, options) => {
    expect(refusedOption(options)).toBe(option);
  });
});
