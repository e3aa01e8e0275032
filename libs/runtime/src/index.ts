export {
  API_SCOPES,
  type ApiKey,
  type ApiScope,
  hashOfKey,
  isApiKey,
  type NewApiKey,
  newApiKey,
} from './api-keys/api-key.ts';
export { apiKeys } from './api-keys/api-keys-schema.ts';
export { ApiKeyInvalidError, readApiKeys } from './api-keys/read-api-keys.ts';
export { type BrokerConnection, brokerConnection } from './broker-connection.ts';
export { CannotStartError } from './cannot-start.ts';
export { closestTo } from './closest.ts';
export { type Environment, loadConfig } from './config.ts';
export { helpText } from './config-help.ts';
export { configWarnings } from './config-warnings.ts';
export { StopTimeoutError } from './deadline.ts';
export { historyBounds } from './history-bounds.ts';
export { CLOSING_MS, createLifecycle, type LifecycleSteps } from './lifecycle.ts';
export { mergeReadiness } from './merge-readiness.ts';
export { meteringSettings } from './metering/metering-settings.ts';
export { type Metering, type MeteringConfig, startMetering } from './metering/start-metering.ts';
export type { ProbedServices } from './ops-app.ts';
export { createOpsServer, type OpsServer, type OpsServerOptions } from './ops-server.ts';
export { type RunServiceOptions, runService, type Shell } from './run-service.ts';
export { notedGateway, noteGateway } from './running-gateway.ts';
export { flag, oneOf, port, readableFile, text, wholeNumber } from './schemas.ts';
export type { Readiness, Service } from './service.ts';
export {
  type ConfigDefinition,
  type ConfigOf,
  defineConfig,
  type Setting,
  setting,
} from './setting.ts';
export { brokerSettings, historySettings, opsSettings, storeSettings } from './shared-settings.ts';
export { storeLocation } from './store-location.ts';
export { startTracing, type Tracing, type TracingConfig } from './tracing/start-tracing.ts';
export { tracingSettings } from './tracing/tracing-settings.ts';
export { WARREN_VERSION } from './version.ts';
export {
  type WorkerConfig,
  type WorkerEnvironment,
  workerEnvironment,
} from './worker-environment.ts';
export {
  createWorkerService,
  type PublisherPart,
  type WorkerPart,
  type WorkerParts,
  type WorkerServiceOptions,
} from './worker-service.ts';
export { workerSettings } from './worker-settings.ts';
