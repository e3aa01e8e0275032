export type { HistoryBounds, JobQueues, Subscriber, TopologyOptions } from './check-options.ts';
export { type QueueMigration, queueMigration } from './migration.ts';
export { createNames, laneKey, type Names } from './names.ts';
export type { BindingSpec, ExchangeSpec, QueueRole, QueueSpec, TopologyStep } from './specs.ts';
export { RETRY_TIERS, type RetryTier } from './tiers.ts';
export { buildTopology, type Topology } from './topology.ts';
