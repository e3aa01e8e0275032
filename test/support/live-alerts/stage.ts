import { type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { eventually, type Installation, install, unusedPort } from '@warren/testing';
import { stringify } from 'yaml';
import { ALERT_GROUPS } from '../../../grafana/src/index.ts';
import { type AlertWebhook, startAlertWebhook } from '../alert-webhook.ts';
import { type PrivateAlertmanager, startAlertmanager } from '../private-alertmanager.ts';
import { type PrivatePrometheus, startPrometheus } from '../private-prometheus.ts';
import { prometheusConfig } from '../prometheus-config.ts';
import type { PrometheusTools } from '../prometheus-tools.ts';
import { repositoryFile } from '../repository-file.ts';
import { INTERVAL_MS, shortenedAlertmanager, shortenedRules } from '../shortened-alerting.ts';
import { TYPES } from './job-types.ts';
import { serveMetrics } from './scraped-services.ts';
import { type LiveServices, startServices } from './services.ts';

/** A whole installation that is well: broker, services, Prometheus, Alertmanager and whom it tells. */
export interface Stage {
  readonly node: PrivateNode;
  readonly here: Installation;
  readonly services: LiveServices;
  readonly prometheus: PrivatePrometheus;
  readonly alertmanager: PrivateAlertmanager;
  readonly webhook: AlertWebhook;
  stop(): Promise<void>;
}

/** As long as a busy machine may take for anything. */
export const WITHIN_MS = 90_000;

/** Starts it, and waits until Prometheus has scraped all of it. */
export async function startStage(
  tools: PrometheusTools,
  alertmanagerProgram: string,
): Promise<Stage> {
  const endings: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of endings.reverse()) await end();
  };
  const keep = <One extends { stop(): Promise<void> }>(one: One): One => {
    endings.push(() => one.stop());
    return one;
  };
  const slow: Promise<unknown>[] = [];
  try {
    const webhook = keep(await startAlertWebhook());
    const alertmanager = keep(
      await startAlertmanager(alertmanagerProgram, await alertmanagerConfig(webhook)),
    );
    const scraped = keep(await serveMetrics());
    const rabbitmq = await unusedPort();
    const targets = { services: scraped.ports, rabbitmq, alertmanager: alertmanager.address };
    const config = await prometheusConfig(targets, `${INTERVAL_MS}ms`);
    const rules = stringify(shortenedRules(ALERT_GROUPS));
    // Together: Prometheus takes some seconds until it scrapes for the first time.
    const starting = [
      startPrometheus(tools, { config, rules }).then(keep),
      startPrivateNode({
        plugins: ['rabbitmq_prometheus'],
        extraConfig: `prometheus.tcp.port = ${rabbitmq}`,
      }).then(keep),
    ] as const;
    slow.push(...starting);
    const [prometheus, node] = await Promise.all(starting);
    const here = await install(Object.values(TYPES), { url: node.url, history: true });
    const services = keep(await startServices(here, scraped, await addStranger(node)));
    await eventually('Prometheus has scraped all', () => hasScraped(prometheus), WITHIN_MS);
    return { node, here, services, prometheus, alertmanager, webhook, stop };
  } catch (error) {
    await Promise.allSettled(slow);
    await stop();
    throw error;
  }
}

const alertmanagerConfig = async ({ urlOf }: AlertWebhook): Promise<string> =>
  shortenedAlertmanager(await repositoryFile('deploy/alertmanager/alertmanager.yml'), urlOf);

/** Makes a user who may publish and not declare, and resolves with the broker's URL for that one. */
async function addStranger({ eval: evaluate, url }: PrivateNode): Promise<string> {
  const [name, password] = ['stranger', 'secret'];
  await evaluate(
    `rabbit_auth_backend_internal:add_user(<<"${name}">>, <<"${password}">>, <<"test">>),
    rabbit_auth_backend_internal:set_permissions(<<"${name}">>, <<"/">>, <<"^$">>, <<".*">>, <<".*">>, <<"test">>).`,
  );
  return url.replace('guest:guest', `${name}:${password}`);
}

/** Has it scraped all, and the queues of the service that is to go? What is counted from then on is seen to grow. */
async function hasScraped({ query }: PrivatePrometheus): Promise<boolean> {
  const [down] = await query('count(up == 0)');
  const queues = await query('jobs_queue_info{service=~"leaver|remote",role="work"}');
  return down === undefined && queues.length === 2;
}
