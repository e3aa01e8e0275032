import type { PrivateNode, PrivateNodeOptions } from './private-node.ts';

/** How to start a private cluster; each node has a port, and temporary data, of its own. */
export type PrivateClusterOptions = Pick<
  PrivateNodeOptions,
  'plugins' | 'extraConfig' | 'root' | 'startWithinMs'
>;

/** Where a quorum queue lives. */
export interface QueuePlace {
  readonly leader: PrivateNode;
  readonly members: readonly PrivateNode[];
}

/** Three RabbitMQ nodes that belong to this process and know each other. */
export interface PrivateCluster {
  readonly nodes: readonly PrivateNode[];
  /** One for each node. */
  readonly urls: readonly string[];
  readonly version: string;
  /** Whether all nodes run and see each other. */
  isWhole(): Promise<boolean>;
  /** Asks a node for the leader and the members of a quorum queue; default: the first node that answers. */
  placeOf(queue: string): Promise<QueuePlace>;
  /** Cuts a node off from the other two, which stay together; clients reach it as before. */
  isolate(node: PrivateNode): Promise<void>;
  /** Takes it back after `isolate`. */
  rejoin(node: PrivateNode): Promise<void>;
  /** Stops all of it and removes its data. May be repeated. */
  stop(): Promise<void>;
}
