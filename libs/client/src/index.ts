export type { BulkItem, BulkOptions, WindowOptions } from './bulk-options.ts';
export type { CancelOptions } from './cancel-request.ts';
export { checkHeaders, type PublishHeaders } from './check-headers.ts';
export type { ClientHistoryOptions } from './client-history.ts';
export { type ConnectJobsOptions, connectJobs } from './connect-jobs.ts';
export { circuitBefore, circuitBeforeText } from './control/circuit-before.ts';
export { type ControlEdit, counting, holding, limiting, pausing } from './control/control-edits.ts';
export { ControlState, type ControlStateOptions } from './control/control-state.ts';
export { type CircuitReading, mergeCircuits } from './control/merge-circuits.ts';
export { type LimitReading, mergeLimits } from './control/merge-limits.ts';
export type { Jobs } from './jobs.ts';
export type { JobsReadiness, PublishedJob } from './jobs-answers.ts';
export type { LeasedMessage, OutboxPort, SqlRunner } from './outbox/outbox-port.ts';
export { OutboxRelay } from './outbox/outbox-relay.ts';
export {
  createOutboxTable,
  type OutboxTableOptions,
  outboxTableSql,
} from './outbox/outbox-table.ts';
export { publishInTransaction, type TransactionOptions } from './outbox/publish-in-transaction.ts';
export type { OutboxRelayOptions, RelayBounds } from './outbox/relay-options.ts';
export { type StartOutboxRelayOptions, startOutboxRelay } from './outbox/start-outbox-relay.ts';
export { type BulkResult, publishEach } from './publish-many.ts';
export type { EmitOptions, PublishOptions } from './publish-options.ts';
export type { WaitOptions } from './waiting/wait-options.ts';
