import type { ReceivedMessage } from '@warren/broker';
import type { DeadReason } from '@warren/contracts';

/** What to do with a delivery before its payload is looked at. */
export type Admission =
  | { readonly kind: 'run' }
  /** It has no id: give it one, so that retries and duplicates can be told apart. */
  | { readonly kind: 'identify' }
  /** Not to be run before a time. */
  | { readonly kind: 'early'; readonly notBeforeMs: number }
  /** Worthless by now, as its publisher said. */
  | { readonly kind: 'expired' }
  /** In hand when connections or processes died, or for longer than the broker bears: to be run apart from all others. */
  | { readonly kind: 'suspect' }
  | { readonly kind: 'cancelled'; readonly by: string | undefined }
  | { readonly kind: 'dead-letter'; readonly reason: DeadReason };

/** Why it may not run. */
export type Refusal = Exclude<Admission, { kind: 'run' }>;

export type CancelledAdmission = Extract<Admission, { kind: 'cancelled' }>;

/** Would it end the job for what its message says? Whether one with `once` was done before, only its claim knows. */
export function isEnd({ kind }: Admission): boolean {
  return kind === 'expired' || kind === 'dead-letter';
}

/** What an admission depends on besides the message. */
export interface AdmissionFacts {
  readonly nowMs: number;
  readonly maxAgeMs: number;
  /** Does this queue hold suspects already? There the broker's count means this job alone. */
  readonly isSuspectQueue: boolean;
  /** Returns that are known not to be the job's fault: this process survived them. */
  readonly pardonedReturns: number;
  /** Times that the broker took it back from this process because it was out for too long. */
  readonly overdueReturns: number;
}

/** Returned so often from the work queue, a job becomes a suspect. */
const SUSPECT_RETURNS = 2;

/** Returned so often from the suspect queue, where it runs alone, a job is poison. */
const MAX_CRASHES = 3;

/** Decides whether a delivery may run. Pure. */
export function admit(message: ReceivedMessage, facts: AdmissionFacts): Admission {
  const returns = Math.max(message.returns - facts.pardonedReturns, facts.overdueReturns);
  const blamed = blame(returns, facts);
  if (blamed) return blamed;
  if (message.expiresAtMs !== undefined && facts.nowMs >= message.expiresAtMs) {
    return { kind: 'expired' };
  }
  if (isTooOld(message, facts)) return dead('max_age');
  if (message.id === undefined) return { kind: 'identify' };
  if (message.notBeforeMs !== undefined && facts.nowMs < message.notBeforeMs) {
    return { kind: 'early', notBeforeMs: message.notBeforeMs };
  }
  return { kind: 'run' };
}

/** What becomes of a job for how often it may have killed its process, by the queue that it did so in. Pure. */
export function blame(
  crashes: number,
  { isSuspectQueue }: Pick<AdmissionFacts, 'isSuspectQueue'>,
): Extract<Admission, { kind: 'suspect' | 'dead-letter' }> | undefined {
  if (isSuspectQueue && crashes >= MAX_CRASHES) return { kind: 'dead-letter', reason: 'poison' };
  if (!isSuspectQueue && crashes >= SUSPECT_RETURNS) return { kind: 'suspect' };
  return undefined;
}

function isTooOld({ publishedAtMs }: ReceivedMessage, facts: AdmissionFacts): boolean {
  return publishedAtMs !== undefined && facts.nowMs - publishedAtMs > facts.maxAgeMs;
}

function dead(reason: DeadReason): Admission {
  return { kind: 'dead-letter', reason };
}
