export { observeConnections, rememberNews } from './broker-observer.ts';
export { errorTypeOf } from './error-type.ts';
export {
  type ConsumedQueue,
  type HoldingQueue,
  initialiseBreakerMetrics,
  initialiseConnectionMetrics,
  initialiseLimiterMetrics,
  initialisePublishMetrics,
  initialiseQueueMetrics,
} from './initial-series.ts';
export {
  type CircuitState,
  type ClaimOutcome,
  type ErrorType,
  type FinalOutcome,
  HTTP_METHODS,
  type HttpMethod,
  type LeaseOutcome,
  type PauseReason,
  type PublishOutcome,
  type QueueRole,
  type RunOutcome,
  STATUS_CLASSES,
} from './label-values.ts';
export {
  captureLogs,
  type JobFields,
  type LogLine,
  type LogSink,
  parseLogLine,
  redactLogLine,
  tieLogger,
} from './log-capture.ts';
export { LOG_LEVELS, type LogLevel } from './log-levels.ts';
export {
  createLogger,
  type JobLogContext,
  jobFields,
  jobLogger,
  type Logger,
  type LoggerOptions,
} from './logger.ts';
export { type QueueMeter, queueMeter } from './messaging/queue-meter.ts';
export { type MeteringSdk, registerMetering } from './messaging/register.ts';
export { type SendMeter, sendMeter } from './messaging/send-meter.ts';
export { METRICS, type MetricName, type MetricSpec } from './metric-table.ts';
export type { LabelsOf, MetricOf } from './metric-types.ts';
export { createMetrics, type Metrics, type MetricsOptions, onCollect } from './metrics.ts';
export { metricsDoc } from './metrics-doc.ts';
export { redactUrl, redactUrlsIn } from './redact-url.ts';
export type { TracedMessage } from './tracing/messaging-attributes.ts';
export {
  ProcessSpan,
  type Settlement,
  startProcess,
  type TracedDelivery,
  traceSettle,
} from './tracing/process-span.ts';
export { traceCreate, traceSend } from './tracing/publish-span.ts';
export { registerTracing, type TracingSdk } from './tracing/register.ts';
export { type ReplayTarget, traceReplay } from './tracing/replay-span.ts';
export {
  nameRequest,
  type TracedRequest,
  type TracedResponse,
  traceRequest,
} from './tracing/server-span.ts';
export type { TraceHeaders } from './tracing/span-context.ts';
export { isTracing } from './tracing/tracer.ts';
export { traceWork } from './tracing/work-span.ts';
