/** A private RabbitMQ node on this machine, and finding or making a broker for development and tests. */

export { type BrokerGreeting, greetBroker, isRabbitListening } from './amqp-probe.ts';
export { askOnTerminal } from './ask-on-terminal.ts';
export { installPackages, installServer, mayInstallPackages } from './debian-packages.ts';
export { freePorts } from './free-ports.ts';
export { type InstalledServer, installedServer } from './installed-server.ts';
export type { ConnectionCloser, NodeControl, SlowLog } from './node-control.ts';
export { obtainBroker } from './obtain-broker.ts';
export type {
  BrokerAddress,
  BrokerOrigin,
  ObtainBrokerOptions,
  ObtainedBroker,
} from './obtained-broker.ts';
export type { PrivateCluster, PrivateClusterOptions, QueuePlace } from './private-cluster.ts';
export type { PrivateNode, PrivateNodeOptions } from './private-node.ts';
export { startPrivateCluster } from './start-private-cluster.ts';
export { canStartPrivateNode, startPrivateNode } from './start-private-node.ts';
