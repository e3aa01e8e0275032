import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Channel } from 'amqplib';
import { useLargerPools } from './as-services-run.ts';
import { BareInstallation } from './bare.ts';
import { benchJob } from './job.ts';
import { kitClient } from './kit.ts';
import { payload } from './payload.ts';

/**
 * Publishes a million jobs from one async iterable, and watches the memory of this process meanwhile. The queue is
 * emptied as it goes: its depth is the broker's matter, and what is taken out must add up to what was accepted.
 * Ends with 1 when a job failed or is missing, or when the heap, after a collection, goes on growing after the first fifth.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    url: {
      type: 'string',
      default: process.env['AMQP_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672',
    },
  },
});

const SAMPLES = 20;
const WARM_UP = SAMPLES / 5;
/** More than what varies from one collection to the next; a leak of 50 bytes a job would be past it. */
const MAX_GROWTH_MB = 32;

const count = Number(values.count);
if (!Number.isInteger(count) || count < SAMPLES) {
  throw new TypeError(`--count: expected a whole number from ${SAMPLES}, got ${values.count}`);
}

useLargerPools();
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const megabytes = (bytes: number): number => Math.round(bytes / 104_857.6) / 10;

async function* items(): AsyncGenerator<typeof payload> {
  for (let order = 1; order <= count; order += 1) yield { ...payload, order };
}

function sample(answered: number, startedAt: number): number {
  const perSecond = Math.round(answered / ((performance.now() - startedAt) / 1_000));
  const rss = megabytes(process.memoryUsage.rss());
  collectGarbage();
  const heap = megabytes(process.memoryUsage().heapUsed);
  process.stdout.write(
    `${String(answered).padStart(9)} jobs  ${String(perSecond).padStart(6)}/s  RSS ${rss} MB  heap ${heap} MB\n`,
  );
  return heap;
}

async function publishAll(channel: Channel, queue: string) {
  const jobs = await kitClient(values.url, 'benchmillion');
  const startedAt = performance.now();
  const heaps: number[] = [];
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
      heaps.push(sample(answered, startedAt));
      taken += (await channel.purgeQueue(queue)).messageCount;
    }
  } finally {
    await jobs.close();
  }
  taken += (await channel.purgeQueue(queue)).messageCount;
  // The client's own first job is among what was taken.
  return { failed, missing: answered - failed - (taken - 1), unanswered: count - answered, heaps };
}

const bare = new BareInstallation(values.url, 'benchmillion');
const connection = await bare.connect();
const { heaps, ...counts } = await publishAll(await connection.createChannel(), bare.queue);
await connection.close();
await bare.dispose();

/** What has stayed: the least of the last fifth, over what there was after the first. */
const growthMb = Math.min(...heaps.slice(-WARM_UP)) - (heaps[WARM_UP] ?? 0);
const result = { count, ...counts, heapGrowthMb: Math.round(growthMb * 10) / 10 };
process.stdout.write(`${JSON.stringify(result)}\n`);
const isWrong = Object.values(counts).some((jobs) => jobs !== 0);
if (growthMb > MAX_GROWTH_MB || isWrong) process.exitCode = 1;
