import { startPrivateNode } from '@warren/local-broker';
import { createMetrics } from '@warren/telemetry';
import { anyJob, eventually, install, unusedPort } from '@warren/testing';
import { handle } from '@warren/worker';
import { noOptions, optionsOf } from './command-line.ts';
import { median } from './stats.ts';

/**
 * What a scrape costs at 200 queues: of the broker, as deploy/prometheus asks it, and of a process that works for all of them.
 * Prints for each how long it takes, how large it is, and how many series it has. The broker is a private node.
 */
optionsOf({
  name: 'bench:scrape',
  usage: `Usage: npm run bench:scrape

Says what a scrape by Prometheus costs at 200 queues, of the broker and of a process that works for all. The broker is a private
node; there are no options.`,
  read: noOptions,
});

const QUEUES = 200;
/** Of a job type: work, suspects, dead letters. */
const QUEUES_PER_TYPE = 3;
const SCRAPES = 20;
const JOBS = 2_000;
const QUEUE_FIGURES =
  '/metrics/detailed?vhost=/&family=queue_coarse_metrics&family=queue_consumer_count';

interface Cost {
  readonly ms: number;
  readonly kB: number;
  readonly series: number;
}

async function costOf(scrape: () => Promise<string>): Promise<Cost> {
  const times: number[] = [];
  let text = '';
  for (let count = 0; count < SCRAPES; count += 1) {
    const startedAt = performance.now();
    text = await scrape();
    times.push(performance.now() - startedAt);
  }
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
  return { ms: median(times), kB: Buffer.byteLength(text) / 1_000, series };
}

function show(what: string, { ms, kB, series }: Cost): void {
  process.stdout.write(
    `${what}: ${ms.toFixed(1)} ms (median of ${SCRAPES}), ${kB.toFixed(0)} kB, ${series} series\n`,
  );
}

const port = await unusedPort();
const node = await startPrivateNode({
  plugins: ['rabbitmq_prometheus'],
  extraConfig: `prometheus.tcp.port = ${port}`,
});
try {
  const types = Array.from({ length: Math.ceil(QUEUES / QUEUES_PER_TYPE) }, (_, n) =>
    anyJob(`scraped.job-${n}`),
  );
  const here = await install(types, { url: node.url });
  // Whoever comes first declares all of them.
  const jobs = await here.connect({ publish: { timeoutMs: 120_000, maxWaitMs: 120_000 } });
  for (let count = 0; count < JOBS; count += 1) {
    const type = types[count % types.length];
    if (type) await jobs.publish(type, {});
  }
  process.stdout.write(`${here.topology.queues.length} queues on a private node\n`);
  const page = (path: string) => async () => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer.text();
  };
  // RabbitMQ counts a queue's figures anew every few seconds.
  await eventually('each queue has its figures', async () => {
    const figures = await page(QUEUE_FIGURES)();
    return here.topology.queues.every(({ name }) => figures.includes(`"${name}"`));
  });
  show('broker, /metrics', await costOf(page('/metrics')));
  show('broker, /metrics/detailed, queues', await costOf(page(QUEUE_FIGURES)));
  show('broker, /metrics/per-object', await costOf(page('/metrics/per-object')));
  show('publisher of all types', await costOf(() => here.metrics.text()));
  for (const handled of [types.slice(0, 1), types]) {
    const metrics = createMetrics({ service: 'bench', version: '0' });
    const worker = await here.work(
      handled.map((type) => handle(type, async () => undefined)),
      { metrics },
    );
    const name = `worker for ${handled.length} job type${handled.length > 1 ? 's' : ''}`;
    show(name, await costOf(() => metrics.text()));
    await worker.stop();
  }
  await here.dispose();
} finally {
  await node.stop();
}
