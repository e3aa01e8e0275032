import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import { ALERT_GROUPS, prometheusRules, RECORDINGS } from '../../../grafana/src/index.ts';
import { COMPONENT_IN_PROMETHEUS, EVERY_POD } from './names.ts';

/** The Prometheus operator's objects, as far as they are used: there are no types of its own for them. */
interface Monitor {
  readonly apiVersion: 'monitoring.coreos.com/v1';
  readonly metadata: ObjectMeta;
}

interface Endpoint {
  readonly port: string;
  readonly path?: string;
  readonly interval: string;
  readonly params?: Readonly<Record<string, readonly string[]>>;
  readonly relabelings: readonly Readonly<Record<string, string | readonly string[]>>[];
}

export interface PodMonitor extends Monitor {
  readonly kind: 'PodMonitor';
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly podMetricsEndpoints: readonly Endpoint[];
  };
}

export interface ServiceMonitor extends Monitor {
  readonly kind: 'ServiceMonitor';
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly endpoints: readonly Endpoint[];
  };
}

export interface PrometheusRule extends Monitor {
  readonly kind: 'PrometheusRule';
  readonly spec: object;
}

const INTERVAL = '15s';

/** Rules and dashboards rely on these names of jobs. */
const jobNamed = (replacement: string) => ({ targetLabel: 'job', replacement });

/** Pods, not Services: most of what runs here is called by nobody. */
export const podMonitor: PodMonitor = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PodMonitor',
  metadata: { name: 'warren', labels: EVERY_POD },
  spec: {
    selector: { matchLabels: EVERY_POD },
    podMetricsEndpoints: [
      {
        port: 'ops',
        interval: INTERVAL,
        relabelings: [
          jobNamed('warren'),
          {
            sourceLabels: [`__meta_kubernetes_pod_label_${COMPONENT_IN_PROMETHEUS}`],
            targetLabel: 'service',
          },
        ],
      },
    ],
  },
};

/** The Service that RabbitMQ's cluster operator makes for the cluster of rabbitmq.yaml. */
export const brokerMonitor: ServiceMonitor = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'ServiceMonitor',
  metadata: { name: 'warren-rabbitmq', labels: EVERY_POD },
  spec: {
    selector: { matchLabels: { 'app.kubernetes.io/name': 'rabbitmq' } },
    endpoints: [
      { port: 'prometheus', interval: INTERVAL, relabelings: [jobNamed('rabbitmq')] },
      {
        port: 'prometheus',
        path: '/metrics/detailed',
        interval: INTERVAL,
        params: { vhost: ['/'], family: ['queue_coarse_metrics', 'queue_consumer_count'] },
        relabelings: [jobNamed('rabbitmq-queues')],
      },
    ],
  },
};

export const prometheusRule: PrometheusRule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'warren', labels: EVERY_POD },
  spec: prometheusRules(ALERT_GROUPS, RECORDINGS),
};
