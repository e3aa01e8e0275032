import {
  CircuitOpenError,
  MAX_DELAY_MS,
  NonRetryableError,
  PayloadInvalidError,
  RetryAfterError,
  SnoozeError,
} from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoff, nastyThrown, random, thrown } from './arbitraries.fixture.ts';
import { type DecisionFacts, decide } from './decide.ts';
import type { Outcome } from './outcome.ts';

const facts: DecisionFacts = {
  attempt: 2,
  snoozes: 0,
  policy: {
    maxAttempts: 5,
    backoff: { kind: 'linear', stepMs: 100, maxMs: 1_000, jitter: 'none' },
  },
  maxSnoozes: 3,
  publishedAtMs: 1_000_000,
  maxAgeMs: 60_000,
  nowMs: 1_010_000,
  random: () => 0,
};

const failed = (error: unknown): Outcome => ({ kind: 'failed', error });
const plainRetry = { kind: 'retry', delayMs: 200, exact: false, nextAttempt: 3 };
const dead = (reason: string) => ({ kind: 'dead-letter', reason });

describe('decide', () => {
  it.each<[Outcome, object]>([
    [{ kind: 'succeeded', result: undefined }, { kind: 'complete' }],
    [failed(new Error('down')), plainRetry],
    [{ kind: 'timed-out', error: new Error('slow') }, plainRetry],
    [{ kind: 'cancelled', error: new Error('bye') }, { kind: 'release' }],
    [
      { kind: 'withdrawn', by: 'ada' },
      { kind: 'cancel', by: 'ada' },
    ],
    [{ kind: 'unreadable', error: new Error('{') }, dead('unreadable')],
    [{ kind: 'invalid', error: new Error('to') }, dead('schema')],
    [failed(new NonRetryableError('no')), dead('non_retryable')],
  ])('answers %j', (outcome, expected) => {
    expect(decide(outcome, facts)).toEqual(expected);
  });

  it('gives up when the last attempt failed or ran too long', () => {
    const last = { ...facts, attempt: 5 };
    const exhausted = dead('attempts_exhausted');
    expect(decide(failed(new Error('x')), last)).toEqual(exhausted);
    expect(decide(failed(new RetryAfterError(5)), last)).toEqual(exhausted);
    expect(decide({ kind: 'timed-out', error: new Error('x') }, last)).toEqual(exhausted);
    expect(decide(failed(new Error('x')), { ...facts, attempt: NaN })).toEqual(exhausted);
  });

  it('releases a cancelled run and completes a successful one even on the last attempt', () => {
    const last = { ...facts, attempt: 5 };
    expect(decide({ kind: 'cancelled', error: new Error('x') }, last).kind).toBe('release');
    expect(decide({ kind: 'succeeded', result: 1 }, last).kind).toBe('complete');
  });

  it('retries an invalid payload that the handler met elsewhere', () => {
    const error = new PayloadInvalidError('other.job', []);
    expect(decide(failed(error), facts)).toEqual(plainRetry);
  });
});

describe('errors that steer', () => {
  it('count by code, so that another copy of the kit is understood', () => {
    expect(decide(failed({ code: 'NON_RETRYABLE' }), facts)).toEqual(dead('non_retryable'));
  });

  it('do not count as causes of another error', () => {
    const wrapped = new Error('wrapped', { cause: new NonRetryableError('no') });
    expect(decide(failed(wrapped), facts)).toEqual(plainRetry);
  });

  it.each([
    [7_000, 7_000],
    [0, 0],
    [-5, 0],
    [Infinity, MAX_DELAY_MS],
    [1e300, MAX_DELAY_MS],
  ])('RetryAfterError of %d ms waits exactly %d ms', (asked, delayMs) => {
    const old = { ...facts, publishedAtMs: undefined };
    expect(decide(failed(new RetryAfterError(asked)), old)).toEqual({
      kind: 'retry',
      delayMs,
      exact: true,
      nextAttempt: 3,
    });
  });

  it('wait as for any failure when their delay is no number', () => {
    expect(decide(failed(new RetryAfterError(NaN)), facts)).toEqual(plainRetry);
    expect(decide(failed({ code: 'RETRY_AFTER', delayMs: '9' }), facts)).toEqual(plainRetry);
    expect(decide(failed(new SnoozeError(NaN)), facts)).toMatchObject({ delayMs: 200 });
  });

  it('lets a job wait for a circuit however often and at the last attempt, within its greatest age', () => {
    const open = failed(new CircuitOpenError({ breaker: 'smtp', delayMs: 9_000 }));
    const last = { ...facts, attempt: 5, snoozes: 3 };
    expect(decide(open, last)).toEqual({ kind: 'snooze', delayMs: 9_000, snoozes: 3 });
    expect(decide(open, { ...facts, maxAgeMs: 18_000 })).toEqual(dead('max_age'));
  });

  it('SnoozeError spends no attempt, until maxSnoozes', () => {
    const snooze = failed(new SnoozeError(9_000));
    const last = { ...facts, attempt: 5, snoozes: 2 };
    expect(decide(snooze, last)).toEqual({ kind: 'snooze', delayMs: 9_000, snoozes: 3 });
    expect(decide(snooze, { ...facts, snoozes: 3 })).toEqual(dead('max_snoozes'));
    expect(decide(snooze, { ...facts, snoozes: NaN })).toEqual(dead('max_snoozes'));
  });
});

describe('maxAge', () => {
  const leftMs = 50_000;

  it('ends a job whose next run could only begin too late', () => {
    for (const error of [new RetryAfterError(leftMs + 1), new SnoozeError(leftMs + 1)]) {
      expect(decide(failed(error), facts)).toEqual(dead('max_age'));
    }
    expect(decide(failed(new Error('x')), { ...facts, nowMs: 1_059_900 })).toEqual(dead('max_age'));
  });

  it('lets a job run whose next run begins just in time', () => {
    expect(decide(failed(new RetryAfterError(leftMs)), facts).kind).toBe('retry');
    expect(decide(failed(new SnoozeError(leftMs)), facts).kind).toBe('snooze');
  });

  it('knows no age where nobody said when the job was published', () => {
    const ageless = { ...facts, publishedAtMs: undefined };
    expect(decide(failed(new RetryAfterError(leftMs + 1)), ageless).kind).toBe('retry');
  });
});

describe('whatever a handler throws', () => {
  it.each(nastyThrown)('%s is a failure like any other', (_, error) => {
    expect(decide(failed(error), facts)).toEqual(plainRetry);
  });

  it('leads to a decision whose delay and counts can be used', () => {
    const anyFacts = fc.record({
      attempt: fc.integer({ min: 1, max: 1_000 }),
      snoozes: fc.nat(5),
      policy: fc.record({ maxAttempts: fc.integer({ min: 1, max: 1_000 }), backoff }),
      maxSnoozes: fc.nat(5),
      publishedAtMs: fc.option(fc.double(), { nil: undefined }),
      maxAgeMs: fc.integer({ min: 1, max: 1e12 }),
      nowMs: fc.integer({ min: 0, max: 4e12 }),
      random: random.map((value) => () => value),
    });
    fc.assert(
      fc.property(thrown, anyFacts, (error, drawn) => {
        const decision = decide(failed(error), drawn);
        expect(['retry', 'snooze', 'dead-letter']).toContain(decision.kind);
        if (decision.kind === 'retry') expect(decision.nextAttempt).toBe(drawn.attempt + 1);
        if (decision.kind === 'snooze') expect(decision.snoozes).toBe(drawn.snoozes + 1);
        if ('delayMs' in decision) {
          expect(Number.isInteger(decision.delayMs)).toBe(true);
          expect(decision.delayMs).toBeGreaterThanOrEqual(0);
          expect(decision.delayMs).toBeLessThanOrEqual(MAX_DELAY_MS);
        }
      }),
    );
  });

  it('ends after maxAttempts runs and maxSnoozes snoozes', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 9, maxLength: 20 }), (snoozing) => {
        let state = { ...facts, attempt: 1, publishedAtMs: undefined };
        const runs = snoozing.findIndex((snoozes) => {
          const decision = decide(failed(snoozes ? new SnoozeError(1) : new Error('x')), state);
          if (decision.kind === 'retry') state = { ...state, attempt: decision.nextAttempt };
          if (decision.kind === 'snooze') state = { ...state, snoozes: decision.snoozes };
          return decision.kind === 'dead-letter';
        });
        expect(runs).toBeGreaterThanOrEqual(0);
        expect(runs).toBeLessThan(facts.policy.maxAttempts + facts.maxSnoozes);
      }),
    );
  });
});
