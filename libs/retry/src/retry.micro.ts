import { type DecisionFacts, decide } from './decide.ts';
import { planHop } from './hop.ts';
import type { Outcome } from './outcome.ts';

const facts: DecisionFacts = {
  attempt: 1,
  snoozes: 0,
  policy: {
    maxAttempts: 5,
    backoff: { kind: 'linear', stepMs: 1_000, maxMs: 60_000, jitter: 'none' },
  },
  maxSnoozes: 3,
  publishedAtMs: 1_800_000_000_000,
  maxAgeMs: 86_400_000,
  nowMs: 1_800_000_001_000,
  random: () => 0,
};
const succeeded: Outcome = { kind: 'succeeded', result: undefined };
const failed: Outcome = { kind: 'failed', error: new Error('down') };
const tiersMs = [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000];

/** One operation each; run by `npm run bench:micro`. */
export const micro: Readonly<Record<string, () => unknown>> = {
  'decide about a success': () => decide(succeeded, facts),
  'decide about a failure': () => decide(failed, facts),
  'plan a delay': () => planHop({ delayMs: 17_000, exact: true, nowMs: facts.nowMs, tiersMs }),
};
