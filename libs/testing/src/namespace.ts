import { randomBytes } from 'node:crypto';
import { buildTopology, type Topology, type TopologyOptions } from '@warren/topology';
import { AmqpAdmin } from './amqp-admin.ts';

/** A namespace that no other test uses. */
export function newNamespace(): string {
  return `t${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
}

/** Deletes everything that an installation has declared at a broker. */
export async function deleteTopology(url: string, topology: Topology): Promise<void> {
  const admin = await AmqpAdmin.connect(url);
  try {
    await admin.run(async (channel) => {
      for (const { name } of topology.queues) await channel.deleteQueue(name);
      for (const { name } of topology.exchanges) await channel.deleteExchange(name);
    });
  } finally {
    await admin.close();
  }
}

/** As `deleteTopology`, for a namespace and its job types. */
export function deleteNamespace(
  url: string,
  namespace: string,
  jobTypes: TopologyOptions['jobTypes'],
): Promise<void> {
  return deleteTopology(url, buildTopology({ namespace, jobTypes, history: {} }));
}
