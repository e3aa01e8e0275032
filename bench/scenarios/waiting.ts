import type { Contestant, Figures, Scenario } from '../compare.ts';
import { countTo, onFreshQueue, perSecond } from '../measure/workload.ts';
import { payload } from '../payload.ts';
import { closingAll } from '../systems/closing-all.ts';
import { leftInPlace } from '../systems/left-in-place.ts';
import { warren } from '../systems/own-systems.ts';
import { placeIn, waitingIn } from '../systems/queues.ts';
import { type JobSystem, payloadsOf } from '../systems/system.ts';
import { ratioAtLeast } from '../target.ts';
import type { Scope } from './scope.ts';

const NAMESPACE = 'benchwaiting';
const WAITING = 1_000_000;
const COUNT = 30_000;
const CONCURRENCY = 10;
/** From then on a quorum queue keeps nothing of the messages that wait in memory but where they are. */
const HOLDS_ITS_RATE = [3, 12] as const;

/** Publishing into a queue in which a million jobs wait, and taking the oldest out of it, against the same with an empty queue. */
export function waiting(url: string, { scale, broker }: Scope): Scenario[] {
  const target = Math.ceil(WAITING * scale);
  const long = warren(url, NAMESPACE, { history: false });
  const [full, empty] = [`${target.toLocaleString('en')} waiting`, 'none waiting'];
  const atLeast = { publish: ratioAtLeast(0.8), consume: ratioAtLeast(0.8) };
  return [
    {
      name: `with ${full}`,
      figures: {
        publish: { unit: 'jobs/s', label: 'publish' },
        consume: { unit: 'jobs/s', label: 'consume' },
      },
      contestants: [
        { name: full, run: () => throughLongQueue(long, url, target) },
        throughEmptyQueue(empty, warren(url, `${NAMESPACE}none`, { history: false })),
      ],
      pairs: [
        {
          subject: full,
          against: empty,
          // Older ones are slower, which is known and told in the documentation.
          ...(isAtLeast(broker, HOLDS_ITS_RATE) && { targets: atLeast }),
        },
      ],
      maxRounds: 3,
      end: () => long.dispose(),
    },
  ];
}

async function throughLongQueue(system: JobSystem, url: string, target: number): Promise<Figures> {
  const { queue } = placeIn(url, NAMESPACE);
  const there = await waitingIn(url, queue);
  if (there === 0) await leftInPlace(system).prepare();
  // A worker that ends has taken somewhat more than what was counted.
  if (there < target) await publishSome(system, target - there);
  return closingAll(system, publishAndConsume);
}

function throughEmptyQueue(name: string, system: JobSystem): Contestant {
  return { name, run: () => onFreshQueue(system, publishAndConsume) };
}

async function publishAndConsume(system: JobSystem): Promise<Figures> {
  const publish = await publishSome(system, COUNT);
  const counter = countTo(COUNT);
  const worker = await system.worker(counter.count, CONCURRENCY);
  const { firstAt, lastAt } = await counter.reached;
  await worker.stop();
  return { publish, consume: perSecond(COUNT, firstAt, lastAt) };
}

/** Returns how many a second, once connected. */
async function publishSome(system: JobSystem, count: number): Promise<number> {
  const publisher = await system.publisher();
  const payloadAt = payloadsOf(payload);
  await publisher.publish(payloadAt(0));
  const startedAt = performance.now();
  await publisher.publishMany(count, payloadAt);
  const rate = perSecond(count, startedAt);
  await publisher.close();
  return rate;
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [itsMajor = 0, itsMinor = 0] = version.split('.').map(Number);
  return itsMajor > major || (itsMajor === major && itsMinor >= minor);
}
