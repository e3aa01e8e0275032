import { ConfigInvalidError } from '@warren/contracts';
import { createLogger, createMetrics, type Logger, type Metrics } from '@warren/telemetry';
import { CannotStartError } from './cannot-start.ts';
import { type Metering, type MeteringConfig, startMetering } from './metering/start-metering.ts';
import { createOpsServer, type OpsServer } from './ops-server.ts';
import type { Service } from './service.ts';
import type { ConfigOf } from './setting.ts';
import type { opsSettings } from './shared-settings.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { startTracing, type Tracing, type TracingConfig } from './tracing/start-tracing.ts';
import { WARREN_VERSION } from './version.ts';

type OpsConfig = ConfigOf<typeof opsSettings>;

export interface RunProcessOptions {
  readonly name: string;
  readonly ops: OpsConfig;
  /** What of OpenTelemetry's is to be sent. */
  readonly telemetry: TracingConfig & MeteringConfig;
  readonly warnings: readonly string[];
  readonly create: (shell: { readonly logger: Logger; readonly metrics: Metrics }) => Service;
}

/** What a stop may take beyond the grace time before the process ends all the same. */
const BEYOND_GRACE_MS = 5_000;

/**
 * Node cuts small buffers out of pools of 8 KiB, which hold a few messages each. With larger pools publisher and worker took an
 * eighth less of the processor for a job of 1 kB (measured on Node 20): memory outside the heap is dear to make and to track.
 */
const BUFFER_POOL_BYTES = 64 * 1024;

/** Starts the ops server, then the service; from then on signals and unhandled errors end the process. */
export async function runProcess({
  name,
  ops,
  telemetry,
  warnings,
  create,
}: RunProcessOptions): Promise<void> {
  Buffer.poolSize = BUFFER_POOL_BYTES;
  const logger = createLogger({ service: name, level: ops.LOG_LEVEL });
  const metrics = createMetrics({ service: name, version: WARREN_VERSION });
  const running: Running = {};
  const shutdown = createShutdown({
    logger,
    stop: () => stopAll(running),
    limitMs: ops.SHUTDOWN_GRACE_SECONDS * 1_000 + BEYOND_GRACE_MS,
    exit: (code) => process.exit(code),
  });
  listenToProcess(shutdown);
  for (const warning of warnings) logger.warn(warning);
  try {
    // First, so that what the service makes at its start is seen.
    running.tracing = await startTracing(name, telemetry, logger);
    running.metering = await startMetering(name, telemetry, logger);
    running.service = create({ logger, metrics });
    running.opsServer = createOps(name, ops, metrics, running.service, shutdown);
    await startAll(running, logger);
  } catch (error) {
    failToStart(name, error, shutdown);
  }
}

/** The text for a wrong setting: what to correct, no stack. */
export const configProblem = (name: string, error: ConfigInvalidError): string =>
  `${name}: the configuration is wrong\n${error.message}`;

interface Running {
  service?: Service;
  opsServer?: OpsServer | undefined;
  tracing?: Tracing | undefined;
  metering?: Metering | undefined;
}

async function startAll({ service, opsServer }: Running, logger: Logger): Promise<void> {
  const address = await opsServer?.start();
  logger.info({ version: WARREN_VERSION, ops_port: address?.port }, 'starting');
  await service?.start();
  logger.info('started');
}

/** The ops server goes after the service: until then it says that the process is not ready. Spans are made until the end. */
async function stopAll({ service, opsServer, tracing, metering }: Running): Promise<void> {
  try {
    await service?.stop();
  } finally {
    await opsServer?.stop();
    await Promise.all([tracing?.stop(), metering?.stop()]);
  }
}

function failToStart(name: string, error: unknown, shutdown: Shutdown): void {
  // A stop makes a running start fail: no news.
  if (shutdown.begun) return;
  if (error instanceof ConfigInvalidError) {
    process.stderr.write(`${configProblem(name, error)}\n`);
    shutdown.fail();
  } else if (error instanceof CannotStartError) {
    process.stderr.write(`${error.message}\n`);
    shutdown.fail();
  } else {
    shutdown.onFatal(error, 'could not start');
  }
}

function createOps(
  name: string,
  { OPS_PORT: port, OPS_HOST: host }: OpsConfig,
  metrics: Metrics,
  service: Service,
  shutdown: Shutdown,
): OpsServer | undefined {
  if (port === undefined) return undefined;
  const ready = () => {
    const now = service.ready();
    return shutdown.begun ? { ready: false, checks: { ...now.checks, process: 'stopping' } } : now;
  };
  const healthy = () => service.healthy?.() ?? true;
  const breakers = () => service.breakers?.() ?? [];
  const probed = { ready, healthy, breakers };
  return createOpsServer({ host, port, metrics, services: { [name]: probed } });
}

function listenToProcess(shutdown: Shutdown): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => shutdown.onSignal(signal));
  }
  process.on('uncaughtException', (error) => shutdown.onFatal(error, 'uncaught exception'));
  process.on('unhandledRejection', (reason) => shutdown.onFatal(reason, 'unhandled rejection'));
}
