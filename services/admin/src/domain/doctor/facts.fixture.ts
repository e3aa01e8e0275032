import { buildTopology } from '@warren/topology';
import { NOTHING_HELD } from '../held-back.ts';
import type { DoctorFacts, SeenNode, SeenQueue } from './facts.ts';

export const topology = buildTopology({ jobTypes: ['a.b', 'c.d'], history: {} });

/** A queue of the installation as it should be. */
export function queue(name: string, changes: Partial<SeenQueue> = {}): SeenQueue {
  const spec = topology.queues.find((one) => one.name === name);
  return {
    name,
    type: 'quorum',
    arguments: spec?.arguments ?? {},
    policies: [],
    policy: {},
    members: ['n1', 'n2', 'n3'],
    online: ['n1', 'n2', 'n3'],
    leaving: 0,
    ...changes,
  };
}

/** All queues as they should be, those that are given otherwise. */
export function queues(...others: readonly SeenQueue[]): { readonly value: SeenQueue[] } {
  const named = new Map(others.map((one) => [one.name, one]));
  return { value: topology.queues.map(({ name }) => named.get(name) ?? queue(name)) };
}

/** A node as it should be. */
export function node(name: string, changes: Partial<SeenNode> = {}): SeenNode {
  return {
    name,
    isRunning: true,
    memoryBytes: 100_000_000,
    memoryLimitBytes: 4_000_000_000,
    hasMemoryAlarm: false,
    diskFreeLimitBytes: 8_000_000_000,
    hasDiskAlarm: false,
    fileLimit: 65_536,
    plugins: ['rabbitmq_management', 'rabbitmq_prometheus'],
    partitions: [],
    ...changes,
  };
}

/** An installation with nothing to complain of. */
export function facts(changes: Partial<DoctorFacts> = {}): DoctorFacts {
  return {
    topology,
    jobs: [{ type: 'a.b', timeoutMs: 60_000, cancelGraceMs: 5_000, long: false }],
    version: '3.13.7',
    username: 'warren',
    vhost: 'jobs',
    hosts: [
      { hostname: 'n1', isTls: true },
      { hostname: 'n2', isTls: true },
    ],
    blockedReason: undefined,
    differences: { value: [] },
    figures: {
      value: new Map(topology.queues.map(({ name }) => [name, { ready: 0, consumers: 1 }])),
    },
    held: NOTHING_HELD,
    tags: { value: ['monitoring'] },
    bindings: { value: [] },
    queues: queues(),
    nodes: { value: ['n1', 'n2', 'n3'].map((name) => node(name)) },
    queueCount: { value: 40 },
    disabledFlags: { value: [] },
    deprecated: { value: [] },
    permissions: { value: { configure: '.*', write: '.*', read: '.*' } },
    ...changes,
  };
}
