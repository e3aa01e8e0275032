import { parse, stringify } from 'yaml';
import { repositoryFile } from './repository-file.ts';

/** What is scraped, and who is told, in place of what docker-compose.yml has: ports of 127.0.0.1. */
export interface PrometheusTargets {
  /** The ops server of each service, by its name. */
  readonly services: Readonly<Record<string, number>>;
  /** RabbitMQ's plugin. */
  readonly rabbitmq: number;
  readonly alertmanager?: string;
}

/** The configuration of docker-compose.yml, with other targets and this interval; its rules are in `rules.yml`. */
export async function prometheusConfig(
  { services, rabbitmq, alertmanager }: PrometheusTargets,
  interval: string,
): Promise<string> {
  const { scrape_configs } = parse(await repositoryFile('deploy/prometheus/prometheus.yml')) as {
    scrape_configs: { job_name: string; dns_sd_configs?: object[] }[];
  };
  const own = Object.entries(services).map(([service, port]) => target(port, { service }));
  return stringify({
    global: { scrape_interval: interval, evaluation_interval: interval },
    rule_files: ['rules.yml'],
    ...(alertmanager && {
      alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] },
    }),
    scrape_configs: scrape_configs.map(({ job_name, dns_sd_configs: _, ...one }) => ({
      job_name,
      ...one,
      static_configs: job_name === 'warren' ? own : [target(rabbitmq)],
    })),
  });
}

const target = (port: number, labels = {}) => ({ targets: [`127.0.0.1:${port}`], labels });
