import { canStartPrivateNode, type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { createOpsServer, type OpsServer } from '@warren/runtime';
import { createMetrics, type Metrics } from '@warren/telemetry';
import {
  anyJob,
  type CollectedSpans,
  collectSpans,
  eventually,
  type Installation,
  install,
  unusedPort,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALERTS, ANNOTATIONS, DASHBOARDS, wrongIsOne } from '../../grafana/src/index.ts';
import {
  type PrivatePrometheus,
  type Sample,
  startPrometheus,
} from '../support/private-prometheus.ts';
import { prometheusConfig } from '../support/prometheus-config.ts';
import { prometheusTools } from '../support/prometheus-tools.ts';
import { rulesAtOnce } from '../support/rules-at-once.ts';
import { runCommand } from './support/command.ts';

const good = anyJob('probe.good', {});
const bad = anyJob('probe.bad', {
  retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '250ms' } },
});
/** Its one failure opens the circuit of what it needs. */
const ill = anyJob('probe.ill', {});
/** Waits for jobs; its worker stays. */
const idle = anyJob('probe.idle', {});
const INTERVAL = '1s';
const RATE_INTERVAL = '15s';
/** Between two points of a chart, in seconds. */
const STEP_SECONDS = 5;

/** Panels whose metric or condition this run does not produce: what would be shown is that something is wrong. */
const EMPTY_HERE = [
  'Connections of services',
  'Replayed by gateways',
  'Replays under way, no further since',
  'Waiting for limits, p95',
];

/** Metrics whose series are born with the first value. */
const ABSENT_AT_FIRST = [
  'jobs_replay_last_progress_timestamp_seconds',
  'jobs_replay_in_progress',
  'jobs_metrics_overflow_total',
];

const metricsIn = (expr: string): readonly string[] =>
  [...expr.matchAll(/\b((?:jobs|rabbitmq|nodejs)_\w+|up)(?=[{[) ])/g)].map(([name]) => name);

const HAPPENED = {
  Deploys: { service: 'test', version: 'after' },
  'Circuits that opened': { breaker: 'ill' },
};

const ANSWERED = { method: 'POST', route: '/v1/jobs', status_class: '2xx' } as const;

const OPS = { host: '127.0.0.1', services: {} };

const tools = prometheusTools();

describe.skipIf(!tools || !canStartPrivateNode())(
  'a Prometheus that scrapes a worker and RabbitMQ',
  () => {
    let node: PrivateNode;
    let here: Installation;
    let ops: OpsServer;
    let prometheus: PrivatePrometheus;
    let spans: CollectedSpans;
    const startedAt = new Date();

    beforeAll(async () => {
      if (!tools) return;
      const before = createMetrics({ service: 'test', version: 'before' });
      ops = createOpsServer({ ...OPS, port: 0, metrics: before });
      const [{ port }, rabbitmqPort] = [await ops.start(), await unusedPort()];
      // Together: Prometheus takes some seconds until it scrapes for the first time.
      [prometheus, node] = await Promise.all([
        startPrometheus(tools, {
          config: await prometheusConfig(
            { services: { test: port }, rabbitmq: rabbitmqPort },
            INTERVAL,
          ),
          rules: rulesAtOnce(),
        }),
        startPrivateNode({
          plugins: ['rabbitmq_prometheus'],
          extraConfig: `prometheus.tcp.port = ${rabbitmqPort}`,
        }),
      ]);
      here = await install([good, bad, ill, idle], { url: node.url });
      await eventually(
        'Prometheus has seen the version before',
        async () => (await prometheus.query('jobs_build_info{version="before"}')).length === 1,
      );
      await ops.stop();
      const metrics = createMetrics({ service: 'test', version: 'after' });
      ops = createOpsServer({ ...OPS, port, metrics });
      await ops.start();
      spans = collectSpans();
      await makeRun(here, metrics, prometheus);
    }, 120_000);

    afterAll(async () => {
      // Its broker is gone, and all that would have to be deleted with it.
      await here?.dispose().catch(() => undefined);
      await spans?.end();
      await ops?.stop();
      await prometheus?.stop();
      await node?.stop();
    });

    it.each(DASHBOARDS)('has something to show for each panel of $title', async ({ sections }) => {
      const emptyPanels = async () => {
        const empty: string[] = [];
        for (const { title, queries } of sections.flatMap(({ panels }) => panels)) {
          for (const { expr } of queries) {
            const series = await prometheus.query(filledIn(expr, here));
            if (series.length === 0) empty.push(title);
          }
        }
        return empty.filter((title) => !EMPTY_HERE.includes(title));
      };
      // Each queue has a clock of its own at the broker: one may be counted five seconds after another.
      await expect.poll(emptyPanels, { timeout: 30_000, interval: 1_000 }).toEqual([]);
    });

    it.each(ANNOTATIONS)('marks once what happened once: $name', async ({ name, expr }) => {
      const told = async () => {
        const series = await prometheus.since(filledIn(expr, here), startedAt, STEP_SECONDS);
        return series.map(({ metric, values }) => [metric, events(values)]);
      };
      await expect
        .poll(told, { timeout: 30_000, interval: 1_000 })
        .toEqual([[HAPPENED[name as keyof typeof HAPPENED], 1]]);
    });

    it('has traces for each panel that shows some', async () => {
      const panels = DASHBOARDS.flatMap(({ sections }) => sections.flatMap(({ panels }) => panels));
      const showing = panels.filter(({ exemplars }) => exemplars);
      expect(showing.map(({ title }) => title)).toEqual(['Time to start', 'Duration of runs']);
      const kept = new Set(spans.all().map(({ traceId }) => traceId));
      for (const { title, queries } of showing) {
        const found = await prometheus.tracesIn(filledIn(queries[0]?.expr ?? '', here), startedAt);
        expect(found.length, title).toBeGreaterThan(0);
        for (const id of found) expect(kept).toContain(id);
      }
    });

    it('has figures in its dashboards that are those of `warren queues` and `warren doctor`', async () => {
      const { names } = here.topology;
      const figure = async (dashboard: string, title: string, queue = '') => {
        const [sample] = await prometheus.query(
          exprOf(dashboard, title).replaceAll('$queue', queue),
        );
        return Number(sample?.value[1]);
      };
      const disagreements = async () => {
        const [{ queues }, { findings }] = await Promise.all([
          warren<{ queues: QueueLine[] }>(here, 'queues'),
          warren<{ findings: { finding: string }[] }>(here, 'doctor'),
        ]);
        const sum = (of: 'ready' | 'dead') => queues.reduce((all, line) => all + line[of], 0);
        const seen: [what: string, shown: number, told: number][] = [
          ['waiting', await figure('warren-overview', 'Waiting'), sum('ready')],
          ['dead', await figure('warren-overview', 'Dead letters'), sum('dead')],
        ];
        for (const { queue, ready, consumers } of queues) {
          const name = names.workQueue(queue);
          seen.push([`${queue} ready`, await figure('warren-queue', 'Waiting', name), ready]);
          seen.push([
            `${queue} consumers`,
            await figure('warren-queue', 'Consumers', name),
            consumers,
          ]);
        }
        const said = JSON.stringify(findings);
        const unsaid = [
          `${names.workQueue(good.type)} (${await figure('warren-queue', 'Waiting', names.workQueue(good.type))})`,
          `${names.deadQueue(bad.type)} (${await figure('warren-overview', 'Dead letters')})`,
        ].filter((text) => !said.includes(text));
        return [...seen.filter(([, shown, told]) => shown !== told), ...unsaid];
      };
      await expect.poll(disagreements, { timeout: 45_000, interval: 2_000 }).toEqual([]);
    });

    it('can evaluate every alert, in the form for Grafana too, and has what it looks at', async () => {
      const missing = new Set<string>();
      for (const { name, expr } of ALERTS) {
        await prometheus.query(expr);
        const asOne = await prometheus.query(wrongIsOne(expr));
        expect(
          asOne.map(({ value }) => value[1]).filter((one) => one !== '1'),
          name,
        ).toEqual([]);
        for (const metric of metricsIn(expr)) {
          if ((await prometheus.query(`count(${metric})`)).length === 0) missing.add(metric);
        }
      }
      expect([...missing]).toEqual(ABSENT_AT_FIRST);
    });

    it('fires for dead letters and for a queue without workers, and for nothing that is well', async () => {
      const { names } = here.topology;
      await eventually('both are reported', async () => {
        const summaries = (await prometheus.alerts())
          .filter(({ state }) => state === 'firing')
          .map(({ annotations }) => annotations['summary']);
        return (
          summaries.includes(`${names.deadQueue(bad.type)} holds 3 dead letters`) &&
          summaries.includes(`${names.workQueue(good.type)}: 1 jobs wait and nothing consumes them`)
        );
      });
      for (const name of [
        'RabbitMQDown',
        'RabbitMQResourceAlarm',
        'JobServiceDown',
        'JobServiceMissing',
      ]) {
        expect(await firing(name)).toBe(false);
      }
    });

    it('fires when RabbitMQ is gone', async () => {
      await node.kill();
      await eventually('the broker is reported', () => firing('RabbitMQDown'));
    });

    const firing = async (name: string) =>
      (await prometheus.alerts()).some(
        ({ labels, state }) => labels['alertname'] === name && state === 'firing',
      );
  },
);

/**
 * Publishes jobs that succeed, are retried and die, in two waves with a scrape between, so that there are rates. Then
 * the worker stops, and one more job is published.
 */
async function makeRun(
  here: Installation,
  metrics: Metrics,
  prometheus: PrivatePrometheus,
): Promise<void> {
  const { names } = here.topology;
  const jobs = await here.connect({ metrics });
  const handlers = [
    handle(good, async () => undefined, {
      breaker: { name: 'probe' },
      limit: { rate: 10_000, per: '1s', scope: 'process' },
    }),
    handle(bad, async () => {
      throw new Error('boom');
    }),
    handle(
      ill,
      async () => {
        throw new Error('not there');
      },
      { breaker: { name: 'ill', volumeThreshold: 1 } },
    ),
  ];
  const worker = await here.work(handlers, { metrics });
  await here.work([handle(idle, () => {})], { metrics });
  const isAt = async (expr: string, value: number) =>
    (await prometheus.query(expr))[0]?.value[1] === `${value}`;
  for (const dead of [1, 3]) {
    const many = Array.from({ length: 20 }, () => jobs.publish(good, {}));
    const failing = Array.from({ length: dead === 1 ? 1 : 2 }, () => jobs.publish(bad, {}));
    await Promise.all([...many, ...failing]);
    // As a gateway would, which this run has none of.
    metrics.jobs_http_request_duration_seconds.observe(ANSWERED, 0.01);
    await eventually('Prometheus has seen the worker count its dead letters', () =>
      isAt('sum(jobs_dead_lettered_total)', dead),
    );
  }
  await jobs.publish(ill, {});
  await eventually('Prometheus has seen a circuit open', () =>
    isAt('sum(jobs_circuit_breaker_transitions_total{to="open"})', 1),
  );
  await worker.stop();
  await jobs.publish(good, {});
  const readyIn = (queue: string) =>
    `max(rabbitmq_detailed_queue_messages_ready{queue="${queue}"})`;
  // The broker counts what is in a quorum queue every five seconds.
  await eventually(
    'Prometheus has seen the queues at the broker',
    async () =>
      (await isAt(readyIn(names.deadQueue(bad.type)), 3)) &&
      isAt(readyIn(names.workQueue(good.type)), 1),
  );
}

const exprOf = (dashboard: string, title: string): string => {
  const panels = DASHBOARDS.filter(({ uid }) => uid === dashboard).flatMap(({ sections }) =>
    sections.flatMap((section) => section.panels),
  );
  const query = panels.find((panel) => panel.title === title)?.queries[0];
  if (!query) throw new Error(`no panel ${title}`);
  return query.expr;
};

interface QueueLine {
  readonly queue: string;
  readonly ready: number;
  readonly dead: number;
  readonly consumers: number;
}

async function warren<Told>({ url, namespace }: Installation, command: string): Promise<Told> {
  const env = { AMQP_URL: url, WARREN_NAMESPACE: namespace };
  const run = await runCommand([command, '--json'], { env, jobs: [good, bad, ill, idle] });
  return JSON.parse(run.stdout) as Told;
}

/** As Grafana fills an expression in. */
const filledIn = (expr: string, { topology }: Installation): string =>
  expr
    .replaceAll('$__interval', `${STEP_SECONDS}s`)
    .replaceAll('$__rate_interval', RATE_INTERVAL)
    .replaceAll('$queue', topology.names.workQueue(bad.type))
    .replaceAll(/\$(job_type|service)/g, '.*')
    .replaceAll(/\$\w+_objective/g, '0.99');

/** As Grafana counts them: points that are no further apart than a step are one. */
const events = (values: readonly Sample['value'][]): number =>
  values.filter(([at], index) => at - (values[index - 1]?.[0] ?? 0) > STEP_SECONDS).length;
