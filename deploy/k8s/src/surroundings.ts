import type { ConfigMap, PersistentVolumeClaim, Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { CONFIG, EVERY_POD, metadata, podsOf } from './names.ts';
import { GRACE_SECONDS, OPS_PORT } from './pods.ts';
import type { Workload } from './workloads.ts';

/** Namespaces with this label may call the gateway. */
export const CALLER_LABEL = { 'warren/may-publish': 'true' } as const;

/** Settings that all services share. */
export const sharedConfig: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: CONFIG, labels: EVERY_POD },
  data: {
    LOG_LEVEL: 'info',
    OPS_HOST: '0.0.0.0',
    OPS_PORT: `${OPS_PORT}`,
    SHUTDOWN_GRACE_SECONDS: `${GRACE_SECONDS}`,
  },
};

/** A drain of a node takes one pod of a service at a time. */
export const disruptionBudget = ({ name }: Workload): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: metadata(name),
  spec: { maxUnavailable: 1, selector: { matchLabels: podsOf(name) } },
});

export const service = (name: string, port: number): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadata(name),
  spec: { selector: podsOf(name), ports: [{ name: 'http', port, targetPort: 'http' }] },
});

export const disk = (name: string, gi: number): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: metadata(name),
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: `${gi}Gi` } } },
});

/**
 * Nobody reaches a pod but probes and Prometheus, at the port for them, and callers, at the gateway's. Which namespace
 * Prometheus is in is not known here: any may read metrics.
 */
export const networkPolicies: readonly NetworkPolicy[] = [
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'warren', labels: EVERY_POD },
    spec: {
      podSelector: { matchLabels: EVERY_POD },
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ port: 'ops' }] }],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'warren-gateway', labels: podsOf('gateway') },
    spec: {
      podSelector: { matchLabels: podsOf('gateway') },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ podSelector: {} }, { namespaceSelector: { matchLabels: CALLER_LABEL } }],
          ports: [{ port: 'http' }],
        },
      ],
    },
  },
];
