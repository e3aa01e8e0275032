import { setTimeout as pause } from 'node:timers/promises';
import { BareInstallation } from '../bare.ts';
import type { Scenario } from '../compare.ts';
import { benchJob } from '../job.ts';
import { kitClient, kitWorker } from '../kit.ts';
import { payload } from '../payload.ts';
import { percentile } from '../stats.ts';
import { subjectAtMost } from '../target.ts';

const PER_SECOND = 500;
const SECONDS = 4;
const EVERY_MS = 20;
const DELAY_MS = 1_000;
const COUNT = PER_SECOND * SECONDS;

/** How much later than its delay a retry starts, at 500 retries/s: the 99th percentile. */
export function retryLateness(url: string): Scenario[] {
  const namespace = 'benchretry';
  const bare = new BareInstallation(url, namespace);
  const [kit, hand] = ['warren', 'amqplib, one hop'];
  return [
    {
      name: 'retry lateness, p99',
      figures: { late: { unit: 'ms' } },
      contestants: [
        { name: kit, run: async () => ({ late: await kitLateness(url, namespace, bare) }) },
        { name: hand, run: async () => ({ late: await bareLateness(url, namespace, bare) }) },
      ],
      pairs: [{ subject: kit, against: hand, targets: { late: subjectAtMost(250) } }],
    },
  ];
}

async function kitLateness(
  url: string,
  namespace: string,
  bare: BareInstallation,
): Promise<number> {
  const sample = collect(COUNT);
  const worker = await kitWorker(
    url,
    namespace,
    (job) => {
      if (job.attempt === 1) {
        sample.due(job.id, Date.now() + DELAY_MS);
        throw new Error('first attempt');
      }
      sample.came(job.id);
    },
    50,
  );
  const jobs = await kitClient(url, namespace);
  // The client's first publish is one of them.
  await atRate(COUNT - 1, () => jobs.publish(benchJob, payload));
  const lateness = await sample.p99;
  await jobs.close();
  await worker.stop();
  await bare.dispose();
  return lateness;
}

async function bareLateness(
  url: string,
  namespace: string,
  bare: BareInstallation,
): Promise<number> {
  await (await kitClient(url, namespace)).close();
  const sample = collect(COUNT);
  const connection = await bare.connect();
  const consuming = await connection.createChannel();
  await consuming.purgeQueue(bare.queue);
  await consuming.prefetch(500);
  await consuming.consume(bare.queue, (message) => {
    if (!message) return;
    sample.came(String(message.properties.messageId));
    consuming.ack(message);
  });
  const publishing = await connection.createConfirmChannel();
  const exchange = bare.topology.names.retry({ name: '1s' });
  let number = 0;
  await atRate(COUNT, async () => {
    number += 1;
    const messageId = String(number);
    sample.due(messageId, Date.now() + DELAY_MS);
    publishing.publish(exchange, bare.queue, Buffer.from(JSON.stringify(payload)), {
      persistent: true,
      mandatory: true,
      messageId,
      expiration: String(DELAY_MS),
    });
  });
  const lateness = await sample.p99;
  await connection.close();
  await bare.dispose();
  return lateness;
}

function collect(goal: number) {
  const dueAtMs = new Map<string, number>();
  const lateMs: number[] = [];
  let onDone: (p99: number) => void = () => {};
  const p99 = new Promise<number>((resolve) => {
    onDone = resolve;
  });
  return {
    due: (id: string, atMs: number) => void dueAtMs.set(id, atMs),
    came: (id: string) => {
      const atMs = dueAtMs.get(id);
      if (atMs === undefined) return;
      dueAtMs.delete(id);
      lateMs.push(Date.now() - atMs);
      if (lateMs.length === goal) onDone(percentile(lateMs, 0.99));
    },
    p99,
  };
}

/** Open loop: what is slow does not slow the rate down. */
async function atRate(count: number, act: () => Promise<unknown>): Promise<void> {
  const acts: Promise<unknown>[] = [];
  const perTick = (PER_SECOND * EVERY_MS) / 1_000;
  while (acts.length < count) {
    for (let n = 0; n < perTick && acts.length < count; n += 1) acts.push(act());
    await pause(EVERY_MS);
  }
  await Promise.all(acts);
}
