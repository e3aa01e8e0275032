import type { Scenario } from '../compare.ts';
import { contestant } from '../measure/contestant.ts';
import { LATENCY_FIGURES } from '../measure/figures.ts';
import { type FixedRate, latency as latencyAt } from '../measure/latency.ts';
import { payload } from '../payload.ts';
import { amqplibByHand, warren as warrenOf } from '../systems/own-systems.ts';
import { ratioAtMost } from '../target.ts';

const NAMESPACE = 'benchlatency';
const BOUND_AT = 1_000;

/** How long a job takes from when it is due to when its handler starts, at rates that are kept. */
export function latency(url: string): Scenario[] {
  const warren = warrenOf(url, NAMESPACE, { history: true });
  const bare = amqplibByHand(url, NAMESPACE, 'single acks');
  const rates = [
    { perSecond: 100, seconds: 10 },
    { perSecond: BOUND_AT, seconds: 5 },
    { perSecond: 3_000, seconds: 5 },
  ];
  return rates.map((rate) => ({
    name: `latency at ${rate.perSecond.toLocaleString('en')} jobs/s`,
    figures: LATENCY_FIGURES,
    // The one with a bound is run as often as any.
    ...(rate.perSecond !== BOUND_AT && { maxRounds: 2 }),
    contestants: [warren, bare].map((one) =>
      contestant<FixedRate>(one, latencyAt, { ...rate, concurrency: 10, payload }),
    ),
    pairs: [
      {
        subject: warren.name,
        against: bare.name,
        ...(rate.perSecond === BOUND_AT && { targets: { p99: ratioAtMost(1.5) } }),
      },
    ],
  }));
}
