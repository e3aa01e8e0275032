import type { Scenario } from '../compare.ts';
import { contestant } from '../measure/contestant.ts';
import { consume as consumeAll } from '../measure/throughput.ts';
import { payload } from '../payload.ts';
import { amqplibByHand, warren as warrenOf } from '../systems/own-systems.ts';
import { ratioAtLeast } from '../target.ts';

const NAMESPACE = 'benchconsume';
const RATE = { rate: { unit: 'jobs/s' } };

/** An empty handler on a full queue. */
export function consume(url: string): Scenario[] {
  const load = { count: 30_000, concurrency: 10, payload };
  const warren = warrenOf(url, NAMESPACE, { history: false });
  const single = amqplibByHand(url, NAMESPACE, 'single acks');
  const batched = amqplibByHand(url, NAMESPACE, 'batched acks');
  return [
    {
      name: 'consume',
      figures: RATE,
      contestants: [warren, single, batched].map((one) => contestant(one, consumeAll, load)),
      pairs: [
        {
          subject: warren.name,
          against: single.name,
          scenario: 'consume against single acks',
          targets: { rate: ratioAtLeast(1) },
        },
        {
          subject: warren.name,
          against: batched.name,
          scenario: 'consume against batched acks',
          targets: { rate: ratioAtLeast(0.9) },
        },
      ],
    },
  ];
}

/** The same with so many handlers at once; by hand, that many or a hundred unacknowledged, whichever is more. */
export function consumeAtConcurrency(url: string): Scenario[] {
  const warren = warrenOf(url, NAMESPACE, { history: false });
  const single = amqplibByHand(url, NAMESPACE, 'single acks');
  return [1, 10, 100, 500].map((concurrency) => ({
    name: `consume, concurrency ${concurrency}`,
    figures: RATE,
    contestants: [warren, single].map((one) =>
      contestant(one, consumeAll, { count: 20_000, concurrency, payload }),
    ),
    pairs: [{ subject: warren.name, against: single.name }],
    maxRounds: 2,
  }));
}
