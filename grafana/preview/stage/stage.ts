import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { withScratchDatabase } from '@warren/testing';
import { startPrometheus } from '../../../test/support/private-prometheus.ts';
import { prometheusConfig } from '../../../test/support/prometheus-config.ts';
import { type PrometheusTools, prometheusTools } from '../../../test/support/prometheus-tools.ts';
import { rulesAtOnce } from '../../../test/support/rules-at-once.ts';
import { type Outside, openOutside } from './outside.ts';
import { type Services, startServices } from './services.ts';

/** An installation with a broker, a database and a Prometheus of its own. */
export interface Stage extends Services {
  readonly node: PrivateNode;
  readonly outside: Outside;
  readonly prometheusUrl: string;
}

/**
 * Builds everything, does the work, and takes everything down again.
 * @throws an error that says what to install, where Prometheus is missing
 */
export async function onStage<Result>(
  intervalSeconds: number,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const tools = requireTools();
  return withScratchDatabase(async (_, databaseUrl) => {
    const endings: (() => unknown)[] = [];
    try {
      return await work(await build(tools, databaseUrl, intervalSeconds, endings));
    } finally {
      for (const end of endings.reverse()) await end();
    }
  });
}

function requireTools(): PrometheusTools {
  const tools = prometheusTools();
  if (tools) return tools;
  throw new Error('no prometheus and promtool on PATH; docs/testing.md says how to get them');
}

async function build(
  tools: PrometheusTools,
  databaseUrl: string,
  intervalSeconds: number,
  endings: (() => unknown)[],
): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-preview-'));
  endings.push(() => rm(folder, { recursive: true, force: true }));
  const outside = await openOutside();
  endings.push(() => outside.close());
  const node = await startPrivateNode({ plugins: ['rabbitmq_prometheus'] });
  endings.push(() => node.stop());
  const services = await startServices({
    brokerUrl: node.url,
    databaseUrl,
    outsideUrl: outside.url,
    folder,
  });
  endings.push(() => Promise.all(Object.values(services.parts).map((part) => part.kill())));
  const targets = { services: services.opsPorts, rabbitmq: node.prometheusPort ?? 0 };
  const prometheus = await startPrometheus(tools, {
    config: await prometheusConfig(targets, `${intervalSeconds}s`),
    rules: rulesAtOnce(),
  });
  endings.push(() => prometheus.stop());
  return { ...services, node, outside, prometheusUrl: prometheus.url };
}
