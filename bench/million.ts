import type { Channel } from 'amqplib';
import { useLargerPools } from './as-services-run.ts';
import { BareInstallation } from './bare.ts';
import { benchJob } from './job.ts';
import { kitClient } from './kit.ts';
import { MillionSamples, SAMPLES } from './measure/million-samples.ts';
import { millionOptions } from './million-options.ts';
import { payload } from './payload.ts';

/**
 * Publishes a million jobs from one async iterable, and watches the memory of this process meanwhile; for that of a worker see
 * `million-worker.ts`. The queue is
 * emptied as it goes: its depth is the broker's matter, and what is taken out must add up to what was accepted.
 * Ends with 1 when a job failed or is missing, or when the heap, after a collection, goes on growing after the first fifth.
 */
const { count, url } = millionOptions({
  name: 'bench:million',
  does: 'Publishes a million jobs from one iterable, and watches memory: ends with 1 when the heap goes on growing, or a job is missing.',
  least: SAMPLES,
});

useLargerPools();

async function* items(): AsyncGenerator<typeof payload> {
  for (let order = 1; order <= count; order += 1) yield { ...payload, order };
}

async function publishAll(channel: Channel, queue: string) {
  const jobs = await kitClient(url, 'benchmillion');
  const samples = new MillionSamples();
  let answered = 0;
  let failed = 0;
  let taken = 0;
  try {
    for await (const result of jobs.publishMany(benchJob, items())) {
      answered += 1;
      if ('error' in result) {
        failed += 1;
        if (failed === 1) process.stderr.write(`the first to fail: ${result.error}\n`);
      }
      if (answered % Math.ceil(count / SAMPLES) > 0) continue;
      samples.take(answered);
      taken += (await channel.purgeQueue(queue)).messageCount;
    }
  } finally {
    await jobs.close();
  }
  taken += (await channel.purgeQueue(queue)).messageCount;
  // The client's own first job is among what was taken.
  return {
    failed,
    missing: answered - failed - (taken - 1),
    unanswered: count - answered,
    samples,
  };
}

const bare = new BareInstallation(url, 'benchmillion');
const connection = await bare.connect();
const { samples, ...counts } = await publishAll(await connection.createChannel(), bare.queue);
await connection.close();
await bare.dispose();

process.stdout.write(
  `${JSON.stringify({ count, ...counts, heapGrowthMb: samples.heapGrowthMb })}\n`,
);
if (!samples.isFlat || Object.values(counts).some((jobs) => jobs !== 0)) process.exitCode = 1;
