import { type JobDefinition, LANES } from '@warren/contracts';
import { createNames } from '@warren/topology';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import { EVERY_POD, KEDA_SECRET, metadata } from './names.ts';
import { TERMINATION_GRACE_SECONDS } from './pods.ts';
import type { Workload } from './workloads.ts';

/** KEDA's objects, as far as they are used: there are no types of its own for them. */
export interface ScaledObject {
  readonly apiVersion: 'keda.sh/v1alpha1';
  readonly kind: 'ScaledObject';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly scaleTargetRef: { readonly name: string };
    readonly minReplicaCount: number;
    readonly maxReplicaCount: number;
    /** Seconds. */
    readonly pollingInterval: number;
    /** What to do while the broker cannot be asked: keep what is there. */
    readonly fallback?: {
      readonly failureThreshold: number;
      readonly replicas: number;
      readonly behavior: 'currentReplicasIfHigher';
    };
    readonly advanced: {
      readonly horizontalPodAutoscalerConfig: {
        readonly behavior: {
          readonly scaleDown: {
            readonly stabilizationWindowSeconds: number;
            readonly policies: readonly [
              { readonly type: 'Pods'; readonly value: number; readonly periodSeconds: number },
            ];
          };
        };
      };
    };
    readonly triggers: readonly Trigger[];
  };
}

type Trigger =
  | {
      readonly type: 'rabbitmq';
      readonly metadata: {
        readonly protocol: 'amqp';
        readonly mode: 'QueueLength';
        readonly queueName: string;
        readonly value: string;
      };
      readonly authenticationRef: { readonly name: string };
    }
  | {
      readonly type: 'cpu';
      readonly metricType: 'Utilization';
      readonly metadata: { readonly value: string };
    };

export interface TriggerAuthentication {
  readonly apiVersion: 'keda.sh/v1alpha1';
  readonly kind: 'TriggerAuthentication';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly secretTargetRef: readonly {
      readonly parameter: string;
      readonly name: string;
      readonly key: string;
    }[];
  };
}

const BROKER_ACCESS = 'warren-broker';

/** By AMQP, which needs no plugin; it counts what waits, not what runs. */
export const brokerAccess: TriggerAuthentication = {
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'TriggerAuthentication',
  metadata: { name: BROKER_ACCESS, labels: EVERY_POD },
  spec: { secretTargetRef: [{ parameter: 'host', name: KEDA_SECRET, key: 'AMQP_URL' }] },
};

/**
 * Scales a service by what waits in its queues, or by its CPU where it has none; undefined where its number is fixed.
 * Never to zero: what runs is not seen in a queue's length, so that the last pod would be taken from a job.
 */
export function scaledObject({ name, jobs, scale }: Workload): ScaledObject | undefined {
  if (scale.min === scale.max) return undefined;
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: metadata(name),
    spec: {
      scaleTargetRef: { name: `warren-${name}` },
      minReplicaCount: scale.min,
      maxReplicaCount: scale.max,
      pollingInterval: 15,
      // KEDA has it for triggers of queues only.
      ...(jobs.length > 0 && {
        fallback: {
          failureThreshold: 3,
          replicas: scale.min,
          behavior: 'currentReplicasIfHigher' as const,
        },
      }),
      advanced: {
        horizontalPodAutoscalerConfig: {
          behavior: {
            // One pod at a time, which has drained before the next one goes.
            scaleDown: {
              stabilizationWindowSeconds: 300,
              policies: [{ type: 'Pods', value: 1, periodSeconds: 2 * TERMINATION_GRACE_SECONDS }],
            },
          },
        },
      },
      triggers:
        jobs.length === 0
          ? [{ type: 'cpu', metricType: 'Utilization', metadata: { value: '75' } }]
          : queuesOf(jobs).map((queueName) => ({
              type: 'rabbitmq',
              metadata: {
                protocol: 'amqp',
                mode: 'QueueLength',
                queueName,
                value: `${scale.backlogPerPod}`,
              },
              authenticationRef: { name: BROKER_ACCESS },
            })),
    },
  };
}

function queuesOf(jobs: readonly JobDefinition[]): string[] {
  const names = createNames();
  return jobs.flatMap(({ type, lanes }) =>
    lanes ? LANES.map((lane) => names.laneQueue(type, lane)) : [names.workQueue(type)],
  );
}
