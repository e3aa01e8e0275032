import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import { EVERY_POD } from './names.ts';

/** The object of RabbitMQ's cluster operator, as far as it is used: there are no types of its own for it. */
export interface RabbitmqCluster {
  readonly apiVersion: 'rabbitmq.com/v1beta1';
  readonly kind: 'RabbitmqCluster';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly image: string;
    readonly replicas: number;
    readonly persistence: { readonly storage: string };
    readonly resources: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>;
    readonly rabbitmq: {
      readonly additionalPlugins: readonly string[];
      readonly additionalConfig: string;
    };
    readonly terminationGracePeriodSeconds: number;
  };
}

/** Three nodes: quorum queues and streams have a member on each, and outlive the loss of one. */
export const rabbitmqCluster: RabbitmqCluster = {
  apiVersion: 'rabbitmq.com/v1beta1',
  kind: 'RabbitmqCluster',
  metadata: { name: 'rabbitmq', labels: EVERY_POD },
  spec: {
    image: 'rabbitmq:4.2-management',
    replicas: 3,
    persistence: { storage: '20Gi' },
    resources: {
      requests: { cpu: '1', memory: '2Gi' },
      limits: { memory: '2Gi' },
    },
    rabbitmq: {
      additionalPlugins: ['rabbitmq_management', 'rabbitmq_prometheus'],
      additionalConfig: [
        // As large as the memory: a broker that cannot page out to disk any more loses its node.
        'disk_free_limit.absolute = 2GB',
        'vm_memory_high_watermark.relative = 0.6',
        // What workers reckon with: they refuse handlers that may take longer.
        'consumer_timeout = 1800000',
        'collect_statistics_interval = 10000',
        'cluster_partition_handling = pause_minority',
        '',
      ].join('\n'),
    },
    // The operator's preStop hook waits until no queue would lose its majority.
    terminationGracePeriodSeconds: 604_800,
  },
};
