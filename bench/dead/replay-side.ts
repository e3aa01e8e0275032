import { BrokerSession } from '@warren/broker';
import { replay } from '@warren/dead-letter';
import { createNames } from '@warren/topology';
import amqplib from 'amqplib';
import { useLargerPools } from '../as-services-run.ts';
import { BareInstallation } from '../bare.ts';
import { benchJob } from '../job.ts';
import { runWarren } from './command.ts';
import { type MemoryFigures, watchMemory } from './peak-memory.ts';

/** What one side of the comparison is to do. */
export interface ReplayOrder {
  readonly side: 'replay' | 'command' | 'by hand';
  readonly url: string;
  readonly namespace: string;
  readonly count: number;
}

/** What it says at its end. */
export interface ReplayAnswer extends MemoryFigures {
  readonly seconds: number;
}

/** In hand at once, as many as the kit's replay has: so many may come twice if it is killed. */
const WINDOW = 200;

useLargerPools();
const order = JSON.parse(process.argv[2] ?? '{}') as ReplayOrder;
const names = createNames(order.namespace);
const [deadQueue, workQueue] = [names.deadQueue(benchJob.type), names.workQueue(benchJob.type)];
const sides = { replay: byKit, command: byCommand, 'by hand': byHand };
process.stdout.write(`${JSON.stringify(await sides[order.side](order))}\n`);

/** `replay` of the kit, as any program may call it. */
async function byKit({ url, namespace, count }: ReplayOrder): Promise<ReplayAnswer> {
  const session = await BrokerSession.open({ connection: { urls: [url] }, service: 'bench' });
  const { topology } = new BareInstallation(url, namespace);
  const source = { queue: deadQueue, workQueue };
  const answer = await measure(async () => {
    const report = await replay({ session, topology, source, holder: 'bench' });
    if (report.replayed !== count) throw new Error(`replayed ${JSON.stringify(report)}`);
  });
  await session.close();
  return answer;
}

/** As an operator does: with its ledger in a file, and telling the history. Connecting is part of it. */
function byCommand({ url, namespace }: ReplayOrder): Promise<ReplayAnswer> {
  return measure(async () => {
    const { code } = await runWarren(['dead', 'replay', benchJob.type], url, namespace);
    if (code !== 0) throw new Error(`the command ended with ${code}`);
  });
}

/** Consume, publish confirmed, ack, and nothing else. */
async function byHand({ url, count }: ReplayOrder): Promise<ReplayAnswer> {
  const connection = await amqplib.connect(url, { noDelay: true });
  const consuming = await connection.createChannel();
  const publishing = await connection.createConfirmChannel();
  await consuming.prefetch(WINDOW);
  const answer = await measure(async () => {
    await new Promise<void>((resolve, reject) => {
      let done = 0;
      publishing.on('return', () => reject(new Error('a message was returned')));
      void consuming.consume(deadQueue, (message) => {
        if (!message) return reject(new Error('the queue is gone'));
        const { content, properties } = message;
        const options = { ...properties, persistent: true, mandatory: true };
        publishing.publish(names.due, workQueue, content, options, (error: Error | null) => {
          if (error) return reject(error);
          consuming.ack(message);
          done += 1;
          if (done === count) resolve();
        });
      });
    });
    // Answered behind the acks: the broker has them.
    await consuming.checkQueue(deadQueue);
  });
  await connection.close();
  return answer;
}

async function measure(work: () => Promise<void>): Promise<ReplayAnswer> {
  const endWatch = watchMemory();
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, ...endWatch() };
}
