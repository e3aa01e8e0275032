export { type DecodedBatch, decodeBatch, encodeBatch, encodeHeartbeat } from './batch-codec.ts';
export { CircuitBoard, type CircuitEverywhere, type CircuitInWorker } from './circuit-board.ts';
export {
  type CircuitNews,
  type CircuitReport,
  MAX_CIRCUIT_QUEUES,
  MAX_CIRCUITS,
} from './circuit-report.ts';
export type { Drops } from './drops.ts';
export { plainText, summariseError } from './error-summary.ts';
export {
  type ErrorSummary,
  type EventDetails,
  type HistoryEvent,
  type HistoryKind,
  JOB_STATES,
  type JobState,
  type LogLevel,
  WORKER_SILENT,
} from './event.ts';
export type { Heartbeat } from './heartbeat.ts';
export type { LimitInWorker } from './limit-board.ts';
export { type LimitNews, MAX_LIMITS } from './limit-news.ts';
export {
  compareOrder,
  isTerminal,
  type OrderKey,
  orderKeyOf,
  stateAfter,
  stateOf,
} from './order.ts';
export {
  type HistoryBatch,
  HistoryReader,
  type HistoryReaderOptions,
  type StreamSource,
} from './reader.ts';
export type { HistorySink } from './sink.ts';
export type { SpoolLimits } from './spool.ts';
export { WorkerWatch, type WorkerWatchOptions } from './worker-watch.ts';
export { type HistoryPublisher, HistoryWriter, type HistoryWriterOptions } from './writer.ts';
