import { BrokerSession, type Consumer, type Delivery } from '@warren/broker';
import { type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { AmqpAdmin, eventually } from '@warren/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const QUEUE = 'work';
const OUT = 300;
/** More than a channel of a quorum queue sends on before the first of them are on disk. */
const ACKED = 200;
const BEHIND = 20;
const DISK_MS = 150;

let node: PrivateNode;
let admin: AmqpAdmin;
beforeAll(async () => {
  node = await startPrivateNode();
  admin = await AmqpAdmin.connect(node.url);
});
afterAll(async () => {
  await admin?.close();
  await node?.stop();
});

/** The queue holds `0`, `1`, … */
beforeEach(async () => {
  await admin.run(async (channel) => {
    await channel.deleteQueue(QUEUE);
    await channel.assertQueue(QUEUE, {
      arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 1 },
    });
    for (let n = 0; n < OUT + BEHIND; n += 1) channel.sendToQueue(QUEUE, Buffer.from(String(n)));
  });
  await eventually('all are there', async () => (await admin.depth(QUEUE)) === OUT + BEHIND);
});

interface Held {
  readonly session: BrokerSession;
  readonly consumer: Consumer;
  readonly deliveries: readonly Delivery[];
}

/** A consumer with `OUT` deliveries. */
async function hold(): Promise<Held> {
  const session = await BrokerSession.open({ connection: { urls: [node.url] }, service: 'test' });
  const deliveries: Delivery[] = [];
  let all: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    all = resolve;
  });
  const onDelivery = (delivery: Delivery) => {
    deliveries.push(delivery);
    if (deliveries.length === OUT) all();
  };
  const consumer = session.consume({ queue: QUEUE, prefetch: OUT, onDelivery });
  consumer.start();
  await held;
  return { session, consumer, deliveries };
}

const isAcked = (n: number) => n >= 50 && n < 50 + ACKED;
const rest = Array.from({ length: OUT + BEHIND }, (_, n) => n).filter((n) => !isAcked(n));

/** Each by an ack of its own, since one before them stays out. */
function ackMany({ deliveries }: Held): void {
  for (const [n, delivery] of deliveries.entries()) if (isAcked(n)) delivery.ack();
}

async function left(): Promise<number[]> {
  await eventually('it is let go', async () => (await admin.consumers(QUEUE)) === 0);
  await eventually('all are back', async () => ((await admin.depth(QUEUE)) ?? 0) >= rest.length);
  return (await admin.take(QUEUE)).map(({ content }) => Number(content.toString()));
}

/** Acks many on a disk that is slow, and ends at once. */
async function onSlowDisk(held: Held, end: () => Promise<void>): Promise<void> {
  const slow = await node.slowLog(DISK_MS);
  try {
    ackMany(held);
    await end();
  } finally {
    await slow.stop();
  }
}

describe('acks, however slow the disk is that they are to be on', () => {
  it('count when their consumer is closed at once', async () => {
    const held = await hold();
    await onSlowDisk(held, () => held.consumer.close());
    expect((await left()).sort((a, b) => a - b)).toEqual(rest);
    await held.session.close();
  });

  it('count when it was paused before, and nothing more comes to it', async () => {
    const held = await hold();
    await held.consumer.pause();
    await onSlowDisk(held, () => held.consumer.close());
    expect((await left()).sort((a, b) => a - b)).toEqual(rest);
    expect(held.deliveries).toHaveLength(OUT);
    await held.session.close();
  });

  it('count when the rest is given back, which keeps its order', async () => {
    const held = await hold();
    await onSlowDisk(held, () => held.session.giveBack(held.consumer));
    expect(await left()).toEqual(rest);
    await held.session.close();
  });

  it('are waited for no longer than the bound', async () => {
    const held = await hold();
    const slow = await node.slowLog(60_000);
    try {
      ackMany(held);
      const startedAtMs = performance.now();
      await held.consumer.close();
      expect(performance.now() - startedAtMs).toBeLessThan(4_000);
    } finally {
      await slow.stop();
      await held.session.close();
    }
  });
});
