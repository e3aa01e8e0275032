import { BareInstallation } from '../bare.ts';
import { type AckStyle, bareConsume } from '../bare-consumer.ts';
import type { Scenario } from '../compare.ts';
import { kitClient, kitWorker } from '../kit.ts';

const COUNT = 30_000;
const CONCURRENCY = 10;

/** An empty handler on a full queue. */
export function consume(url: string): Scenario[] {
  return [scenario(url, 'single acks', 1), scenario(url, 'batched acks', 0.9)];
}

function scenario(url: string, style: AckStyle, target: number): Scenario {
  const namespace = 'benchconsume';
  const bare = new BareInstallation(url, namespace);
  return {
    name: `consume against ${style}`,
    unit: 'jobs/s',
    target,
    subject: {
      name: 'warren',
      run: () =>
        timed(url, bare, async (onJob) => {
          const worker = await kitWorker(url, namespace, onJob, CONCURRENCY);
          return () => worker.stop();
        }),
    },
    against: {
      name: `amqplib, ${style}`,
      run: () =>
        timed(url, bare, async (onJob) => {
          const connection = await bare.connect();
          const end = await bareConsume(connection, bare.queue, style, onJob);
          return () => end().then(() => connection.close());
        }),
    },
  };
}

/** From the first job handled to the last: connecting is not what is compared. */
async function timed(
  url: string,
  bare: BareInstallation,
  start: (onJob: () => void) => Promise<() => Promise<void>>,
): Promise<number> {
  await (await kitClient(url, 'benchconsume')).close();
  const filler = await bare.connect();
  await bare.publish(filler, COUNT);
  await filler.close();
  let done = 0;
  let startedAt = 0;
  let stop: (() => Promise<void>) | undefined;
  const seconds = await new Promise<number>((resolve, reject) => {
    start(() => {
      done += 1;
      if (done === 1) startedAt = performance.now();
      if (done < COUNT) return;
      const seconds = (performance.now() - startedAt) / 1_000;
      // The last acks are written in this turn of the event loop.
      setImmediate(() => resolve(seconds));
    }).then((end) => {
      stop = end;
    }, reject);
  });
  await stop?.();
  await bare.dispose();
  return COUNT / seconds;
}
