import type { Scenario } from '../compare.ts';
import { contestant } from '../measure/contestant.ts';
import { publishMany, publishOneByOne } from '../measure/throughput.ts';
import { payload } from '../payload.ts';
import { amqplibByHand, warren as warrenOf } from '../systems/own-systems.ts';
import { ratioAtLeast } from '../target.ts';

const NAMESPACE = 'benchpublish';
const TARGETS = { rate: ratioAtLeast(0.95) };
const RATE = { rate: { unit: 'jobs/s' } };

/** Confirmed, mandatory publishes, 1,000 in flight: by as many calls of `publish`, and out of one iterable. */
export function publish(url: string): Scenario[] {
  const load = { count: 50_000, concurrency: 1, payload };
  const bare = amqplibByHand(url, NAMESPACE, 'single acks');
  const byCalls = warrenOf(url, NAMESPACE, { history: false, many: 'publish' });
  return [
    {
      name: 'publish',
      figures: RATE,
      contestants: [
        contestant(byCalls, publishMany, load),
        contestant(
          warrenOf(url, NAMESPACE, { history: false }),
          publishMany,
          load,
          'warren, publishMany',
        ),
        contestant(bare, publishMany, load, 'amqplib'),
      ],
      pairs: [
        { subject: 'warren', against: 'amqplib', targets: TARGETS },
        {
          subject: 'warren, publishMany',
          against: 'amqplib',
          scenario: 'publishMany',
          targets: TARGETS,
        },
      ],
    },
  ];
}

/** Each confirmed before the next is sent: what a request waits for that publishes one job. */
export function publishInTurn(url: string): Scenario[] {
  const load = { count: 3_000, concurrency: 1, payload };
  const bare = amqplibByHand(url, NAMESPACE, 'single acks');
  const warren = warrenOf(url, NAMESPACE, { history: true });
  return [
    {
      name: 'publish one by one',
      figures: RATE,
      contestants: [
        contestant(warren, publishOneByOne, load),
        contestant(bare, publishOneByOne, load, 'amqplib'),
      ],
      pairs: [{ subject: warren.name, against: 'amqplib', targets: TARGETS }],
    },
  ];
}
