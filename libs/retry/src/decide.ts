import type { DeadReason, RetryPolicy } from '@warren/contracts';
import { backoffDelayMs } from './backoff.ts';
import { clampDelayMs } from './clamp-delay.ts';
import type { Outcome } from './outcome.ts';
import { readProperty } from './read-property.ts';

/** What to do with a delivery. */
export type Decision =
  | { readonly kind: 'complete' }
  | {
      readonly kind: 'retry';
      readonly delayMs: number;
      /** Never early. */
      readonly exact: boolean;
      readonly nextAttempt: number;
    }
  /** `snoozes` counts this one, if it is one of the handler's own. */
  | { readonly kind: 'snooze'; readonly delayMs: number; readonly snoozes: number }
  | { readonly kind: 'dead-letter'; readonly reason: DeadReason }
  | { readonly kind: 'cancel'; readonly by: string | undefined }
  | { readonly kind: 'release' };

/** What a decision depends on besides the outcome. */
export interface DecisionFacts {
  /** Number of the run that just ended, from 1. */
  readonly attempt: number;
  /** How often the job was put off before. */
  readonly snoozes: number;
  readonly policy: RetryPolicy;
  readonly maxSnoozes: number;
  /** ms since 1970; undefined when unknown, which leaves the job without a greatest age. */
  readonly publishedAtMs: number | undefined;
  readonly maxAgeMs: number;
  readonly nowMs: number;
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number;
}

/**
 * Decides what becomes of a delivery. Never throws, whatever the handler threw.
 *
 * Errors speak through their own `code`, so that those of a second copy of the kit count as well. An error
 * that is only the `cause` of another does not: whoever wrapped it decided anew.
 */
export function decide(outcome: Outcome, facts: DecisionFacts): Decision {
  switch (outcome.kind) {
    case 'succeeded':
      return { kind: 'complete' };
    case 'cancelled':
      return { kind: 'release' };
    case 'withdrawn':
      return { kind: 'cancel', by: outcome.by };
    case 'unreadable':
      return dead('unreadable');
    case 'invalid':
      return dead('schema');
    case 'timed-out':
      return retry(facts, backoff(facts), false);
    case 'failed':
      return decideFailed(outcome.error, facts);
  }
}

function decideFailed(error: unknown, facts: DecisionFacts): Decision {
  switch (readProperty(error, 'code')) {
    case 'NON_RETRYABLE':
      return dead('non_retryable');
    case 'RETRY_AFTER': {
      const askedMs = clampDelayMs(readProperty(error, 'delayMs'));
      return askedMs === undefined
        ? retry(facts, backoff(facts), false)
        : retry(facts, askedMs, true);
    }
    case 'SNOOZE':
      return snooze(facts, clampDelayMs(readProperty(error, 'delayMs')) ?? backoff(facts));
    case 'CIRCUIT_OPEN':
      return wait(facts, clampDelayMs(readProperty(error, 'delayMs')) ?? backoff(facts));
    default:
      return retry(facts, backoff(facts), false);
  }
}

function retry(facts: DecisionFacts, delayMs: number, exact: boolean): Decision {
  // Asked this way round, a count that is no number ends the job instead of retrying it for ever.
  if (!(facts.attempt < facts.policy.maxAttempts)) return dead('attempts_exhausted');
  if (isTooOldAfter(facts, delayMs)) return dead('max_age');
  return { kind: 'retry', delayMs, exact, nextAttempt: facts.attempt + 1 };
}

function snooze(facts: DecisionFacts, delayMs: number): Decision {
  if (!(facts.snoozes < facts.maxSnoozes)) return dead('max_snoozes');
  if (isTooOldAfter(facts, delayMs)) return dead('max_age');
  return { kind: 'snooze', delayMs, snoozes: facts.snoozes + 1 };
}

/** Others are the reason: neither an attempt nor a snooze is spent, and only the greatest age ends it. */
function wait(facts: DecisionFacts, delayMs: number): Decision {
  if (isTooOldAfter(facts, delayMs)) return dead('max_age');
  return { kind: 'snooze', delayMs, snoozes: facts.snoozes };
}

/** Waiting for a run that could only be refused helps nobody. */
function isTooOldAfter(facts: DecisionFacts, delayMs: number): boolean {
  const { publishedAtMs, maxAgeMs, nowMs } = facts;
  return publishedAtMs !== undefined && nowMs + delayMs > publishedAtMs + maxAgeMs;
}

function backoff({ policy, attempt, random }: DecisionFacts): number {
  return backoffDelayMs(policy.backoff, attempt, random);
}

function dead(reason: DeadReason): Decision {
  return { kind: 'dead-letter', reason };
}
