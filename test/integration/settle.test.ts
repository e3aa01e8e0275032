import type { Delivery } from '@warren/broker';
import {
  anyJob,
  consumeQueue,
  eventually,
  type Installation,
  install,
  type QueueClient,
} from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const { type } = anyJob('probe.run');
const bodies = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);

let here: Installation;
let client: QueueClient | undefined;
beforeEach(async () => {
  here = await install([anyJob(type)]);
});
afterEach(async () => {
  await client?.close();
  client = undefined;
  await here.dispose();
});

const queue = () => here.topology.names.workQueue(type);
const deadQueue = () => here.topology.names.deadQueue(type);
/** What a consumer that comes later gets: the rest. */
async function restAfterClose(): Promise<string[]> {
  await client?.close();
  await eventually('the consumer is gone', async () => (await here.admin.consumers(queue())) === 0);
  return (await here.admin.take(queue())).map(({ content }) => String(content));
}

describe('a delivery', () => {
  it('is settled once; a second settle of any kind does nothing', async () => {
    const lost: string[] = [];
    client = await consumeQueue(
      { ...here, type },
      { prefetch: 10, onLost: (why) => lost.push(why) },
    );
    await client.send(...bodies(10));
    const { deliveries } = client;
    await eventually('all are there', () => deliveries.length === 10);
    const [acked, rejected, ...others] = deliveries as [Delivery, Delivery, ...Delivery[]];
    expect([acked.ack(), acked.ack(), acked.requeue(), acked.reject()]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([rejected.reject(), rejected.reject(), rejected.ack()]).toEqual([true, false, false]);
    await eventually('one is dead', async () => (await here.admin.depth(deadQueue())) === 1);
    // The other eight were not touched by any of it.
    expect(lost).toEqual([]);
    expect(others.map((delivery) => delivery.ack())).toEqual(others.map(() => true));
    expect(deliveries).toHaveLength(10);
    expect(await restAfterClose()).toEqual([]);
  });

  it('is acked however late its elder neighbours are', async () => {
    client = await consumeQueue({ ...here, type }, { prefetch: 10 });
    await client.send(...bodies(10));
    const { deliveries } = client;
    await eventually('all are there', () => deliveries.length === 10);
    for (const delivery of deliveries.filter(({ tag }) => tag % 3 !== 1)) delivery.ack();
    const kept = deliveries.filter(({ isSettled }) => !isSettled).map(({ body }) => String(body));
    await client.send(...bodies(6));
    await eventually('the room is used', () => deliveries.length === 16);
    for (const delivery of deliveries.slice(10)) delivery.ack();
    expect((await restAfterClose()).sort()).toEqual(kept.sort());
  });
});

describe('beforeAck', () => {
  it('holds an ack until it resolves', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    client = await consumeQueue({ ...here, type }, { prefetch: 1 });
    await client.send('a', 'b');
    const { deliveries } = client;
    await eventually('one is there', () => deliveries.length === 1);
    expect(deliveries[0]?.ack(held)).toBe(true);
    expect(deliveries[0]?.ack()).toBe(false);
    expect(await here.admin.depth(queue())).toBe(1);
    release();
    await eventually('the next one comes', () => deliveries.length === 2);
  });

  it('holds it for a second at most, also when it fails or the consumer is closed', async () => {
    const never = new Promise<void>(() => {});
    const fails = Promise.reject(new Error('no history'));
    fails.catch(() => {});
    client = await consumeQueue({ ...here, type }, { prefetch: 1 });
    await client.send('a');
    await client.send('b');
    await client.send('c');
    const { deliveries } = client;
    await eventually('the first is there', () => deliveries.length === 1);
    const ackedAtMs = Date.now();
    deliveries[0]?.ack(never);
    await eventually('the next one comes', () => deliveries.length === 2);
    expect(Date.now() - ackedAtMs).toBeGreaterThanOrEqual(900);
    deliveries[1]?.ack(fails);
    await eventually('the last one comes', () => deliveries.length === 3);
    deliveries[2]?.ack(never);
    expect(await restAfterClose()).toEqual([]);
  });
});

describe('prefetch', () => {
  it('of a range grows with speed and is never exceeded, by any change', {
    timeout: 60_000,
  }, async () => {
    const max = 40;
    let out = 0;
    let most = 0;
    let isSlow = false;
    const done = (delivery: Delivery) => {
      if (delivery.ack()) out -= 1;
    };
    const prefetches: number[] = [];
    const kept: Delivery[] = [];
    client = await consumeQueue(
      { ...here, type },
      {
        prefetch: { min: 4, max },
        onPrefetch: (prefetch) => prefetches.push(prefetch),
        onDelivery(delivery) {
          out += 1;
          most = Math.max(most, out);
          if (isSlow) kept.push(delivery);
          else setImmediate(done, delivery);
        },
      },
    );
    const { consumer } = client;
    const fast = async () => {
      await client?.send(...bodies(500));
      // Steps of less than a factor of two are not taken: it may rest anywhere above half.
      return (prefetches.at(-1) ?? 0) >= max / 2;
    };
    await eventually('it has grown', fast, 30_000);
    // From now on nothing is settled: what is out stays out, through a pause as well.
    isSlow = true;
    await client.send(...bodies(200));
    await eventually('all room is used', () => kept.length >= max / 2);
    await consumer.pause();
    await consumer.resume();
    await consumer.pause();
    await consumer.resume();
    for (const delivery of kept.splice(0, 10)) done(delivery);
    await eventually('more comes', () => kept.length >= 5);
    isSlow = false;
    for (const delivery of kept.splice(0)) done(delivery);
    await eventually(
      'it runs dry',
      async () => out === 0 && (await here.admin.depth(queue())) === 0,
    );
    expect(most).toBeLessThanOrEqual(max);
    expect(most).toBeGreaterThan(4);
  });
});
