import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Container, EnvVar, PodSpec, Probe, SecurityContext, Volume, VolumeMount } from 'kubernetes-types/core/v1.js';
import { CONFIG, IMAGE, metadata, podsOf, secretOf } from './names.ts';
import type { SecretKey, Workload } from './workloads.ts';

/** The image's: OPS_PORT of the Dockerfile. */
export const OPS_PORT = 8_081;
/** How long a service lets running jobs end, in seconds. */
export const GRACE_SECONDS = 20;
/** When a pod is killed, in seconds: the grace time, 5 s that a service allows itself beyond, and some more. */
export const TERMINATION_GRACE_SECONDS = 30;
/** `node` in the images of Node. */
const NODE_USER = 1_000;

/** In every Secret: as whom to log in to the broker, and where. */
export const BROKER: readonly SecretKey[] = ['AMQP_URL', 'AMQP_USERNAME', 'AMQP_PASSWORD'];

/** What every pod is denied. */
export const POD_SECURITY: Pick<PodSpec, 'automountServiceAccountToken' | 'securityContext'> = {
  automountServiceAccountToken: false,
  securityContext: {
    runAsNonRoot: true,
    runAsUser: NODE_USER,
    fsGroup: NODE_USER,
    seccompProfile: { type: 'RuntimeDefault' },
  },
};

/** What every container is denied. */
export const CONTAINER_SECURITY: SecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** tsx keeps compiled files there. */
export const TMP_VOLUME: Volume = { name: 'tmp', emptyDir: {} };
export const TMP_MOUNT: VolumeMount = { name: 'tmp', mountPath: '/tmp' };

/** Variables that a container takes from the Secret of one service. */
export const fromSecretOf = (service: string, keys: readonly SecretKey[]): EnvVar[] =>
  keys.map((key) => ({ name: key, valueFrom: { secretKeyRef: { name: secretOf(service), key } } }));

/** The Deployment of a service. */
export function deployment(workload: Workload): Deployment {
  const { name, scale, diskGi } = workload;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(name),
    spec: {
      // Where something else scales it, a number here would undo that at every `kubectl apply`.
      ...(scale.min === scale.max && { replicas: scale.min }),
      selector: { matchLabels: podsOf(name) },
      // A disk can be mounted by one pod only.
      strategy:
        diskGi === undefined
          ? { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
          : { type: 'Recreate' },
      template: { metadata: { labels: podsOf(name) }, spec: podSpec(workload) },
    },
  };
}

function podSpec(workload: Workload): PodSpec {
  const { name, diskGi } = workload;
  return {
    ...POD_SECURITY,
    terminationGracePeriodSeconds: TERMINATION_GRACE_SECONDS,
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: podsOf(name) },
      },
    ],
    containers: [container(workload)],
    volumes: [
      TMP_VOLUME,
      ...(diskGi === undefined
        ? []
        : [{ name: 'data', persistentVolumeClaim: { claimName: `warren-${name}` } }]),
    ],
  };
}

function container(workload: Workload): Container {
  const { name, port, memoryMi, cpuMilli, diskGi } = workload;
  return {
    name,
    image: IMAGE,
    command: ['node', '--import', 'tsx', `services/${name}/src/main.ts`],
    envFrom: [{ configMapRef: { name: CONFIG } }],
    env: environment(workload),
    ports: [
      { name: 'ops', containerPort: OPS_PORT },
      ...(port === undefined ? [] : [{ name: 'http', containerPort: port }]),
    ],
    startupProbe: { ...probe('/healthz'), periodSeconds: 2, failureThreshold: 60 },
    // A broker that is away is no reason to start anew: the service reconnects.
    livenessProbe: { ...probe('/healthz'), periodSeconds: 10, failureThreshold: 6 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 5, failureThreshold: 2 },
    // No limit of CPU: a process that is throttled misses heartbeats of the broker.
    resources: {
      requests: { cpu: `${cpuMilli}m`, memory: `${memoryMi}Mi` },
      limits: { memory: `${memoryMi}Mi` },
    },
    securityContext: CONTAINER_SECURITY,
    volumeMounts: [
      TMP_MOUNT,
      ...(diskGi === undefined ? [] : [{ name: 'data', mountPath: '/data' }]),
    ],
  };
}

function environment({ name: service, env, secrets }: Workload): EnvVar[] {
  return [
    ...fromSecretOf(service, [...BROKER, ...secrets]),
    ...Object.entries(env).map(([name, value]) => ({ name, value })),
  ];
}

const probe = (path: string): Probe => ({
  httpGet: { path, port: 'ops' },
  timeoutSeconds: 4,
});
