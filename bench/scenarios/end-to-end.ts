import { BareInstallation } from '../bare.ts';
import { bareConsume } from '../bare-consumer.ts';
import type { Scenario } from '../compare.ts';
import { type KitSwitches, kitClient, kitPublish, kitWorker } from '../kit.ts';

const NAMESPACE = 'benchend';
const COUNT = 30_000;
const CONCURRENCY = 10;

/** Publisher and worker in one process, at the same time, until the last job is handled. */
export function endToEnd(url: string): Scenario[] {
  return [
    scenario(url, 'end to end', 0.9, {}),
    // Against amqplib without any history: this is what knowing what became of each job costs.
    scenario(url, 'end to end with history', 0.85, { history: true }),
  ];
}

function scenario(url: string, name: string, target: number, switches: KitSwitches): Scenario {
  const bare = new BareInstallation(url, NAMESPACE);
  return {
    name,
    unit: 'jobs/s',
    target,
    subject: {
      name: 'warren',
      async run() {
        const counter = countTo(COUNT + 1);
        const worker = await kitWorker(url, NAMESPACE, counter.count, CONCURRENCY, switches);
        const jobs = await kitClient(url, NAMESPACE, switches);
        const startedAt = performance.now();
        await Promise.all([kitPublish(jobs, COUNT), counter.reached]);
        const seconds = (performance.now() - startedAt) / 1_000;
        await jobs.close();
        await worker.stop();
        await bare.dispose();
        return COUNT / seconds;
      },
    },
    against: {
      name: 'amqplib, single acks',
      async run() {
        const counter = countTo(COUNT + 1);
        await (await kitClient(url, NAMESPACE)).close();
        const connection = await bare.connect();
        const publishing = await bare.connect();
        const end = await bareConsume(connection, bare.queue, 'single acks', counter.count);
        const startedAt = performance.now();
        await Promise.all([bare.publish(publishing, COUNT), counter.reached]);
        const seconds = (performance.now() - startedAt) / 1_000;
        await end();
        await publishing.close();
        await connection.close();
        await bare.dispose();
        return COUNT / seconds;
      },
    },
  };
}

function countTo(goal: number): { count: () => void; reached: Promise<void> } {
  let onReached: () => void = () => {};
  const reached = new Promise<void>((resolve) => {
    onReached = resolve;
  });
  let counted = 0;
  return {
    count: () => {
      counted += 1;
      if (counted === goal) onReached();
    },
    reached,
  };
}
