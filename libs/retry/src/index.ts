export { backoffDelayMs } from './backoff.ts';
export { type Decision, type DecisionFacts, decide } from './decide.ts';
export { describeFailure } from './describe-failure.ts';
export { nextHop, type PlannedHop, planHop } from './hop.ts';
export type { Outcome } from './outcome.ts';
export { retryAfterMs } from './retry-after.ts';
