export { AmqpAdmin } from './amqp-admin.ts';
export { anyJob } from './any-job.ts';
export { sharedBrokerUrl } from './broker-url.ts';
export { collect } from './collect.ts';
export { type CollectedMetrics, collectMetrics, type SeenPoint } from './collected-metrics.ts';
export { type CollectedSpans, collectSpans, type SeenSpan } from './collected-spans.ts';
export { type CuttableProxy, startProxy } from './cuttable-proxy.ts';
export { delivered, type ReceivedProperties } from './delivered.ts';
export { endingOf, endingsOf } from './ending-of.ts';
export { eventually } from './eventually.ts';
export { Gate } from './gate.ts';
export { type Installation, type InstallOptions, install } from './installation.ts';
export { Ledger, type LedgerReport } from './ledger.ts';
export { deleteNamespace, deleteTopology, newNamespace } from './namespace.ts';
export {
  type Export,
  type ExportedMetric,
  type ExportedPoint,
  type ExportedSpan,
  type OtlpReceiver,
  startOtlpReceiver,
} from './otlp-receiver.ts';
export { type OwnDatabase, ownDatabase, withScratchDatabase } from './own-database.ts';
export { consumeQueue, type QueueClient } from './queue-client.ts';
export { metricValue, quietTelemetry } from './quiet-telemetry.ts';
export { Runs, type SeenRun } from './runs.ts';
export { type SeenHistory, seeHistory } from './seen-history.ts';
export { takeIds } from './take-ids.ts';
export {
  dropStore,
  openStoreBench,
  type StoreBench,
  sharedDatabaseUrl,
  testStores,
} from './test-stores.ts';
export { unusedPort } from './unused-port.ts';
