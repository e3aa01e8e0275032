import { setTimeout as pause } from 'node:timers/promises';
import { catalog, events, publicJobs } from '@warren/catalog';
import { ControlState, connectJobs, type Jobs } from '@warren/client';
import { WorkerWatch } from '@warren/history';
import {
  type ApiKey,
  brokerConnection,
  createLifecycle,
  historyBounds,
  type ProbedServices,
  type Readiness,
  type Service,
} from '@warren/runtime';
import { openStore, type Store } from '@warren/store';
import type { Logger, Metrics } from '@warren/telemetry';
import { type Acceptance, createAcceptance } from './acceptance.ts';
import type { GatewayConfig } from './config.ts';
import { configuredKeys } from './configured-keys.ts';
import { type Letters, openLetters } from './dead-letters/open-letters.ts';
import { acceptByEmitting } from './domain/accept-event.ts';
import { type BreakerDesk, createBreakerDesk } from './domain/breakers/breaker-desk.ts';
import { cancelByStream } from './domain/cancel-job.ts';
import { createLimitDesk, type LimitDesk } from './domain/limits/limit-desk.ts';
import { HistoryHub } from './domain/live/history-hub.ts';
import { createQueueDesk, type QueueDesk } from './domain/queues/queue-desk.ts';
import { writerDown } from './domain/write-down.ts';
import { createApp } from './entry-points/http/app.ts';
import { createHttpServer, type HttpServer } from './entry-points/http/server.ts';
import { openStreams, type Streams } from './history-source.ts';
import { checkExposure } from './network-exposure.ts';
import { retryByReplay } from './retry-by-replay.ts';

/** What the process gives to the gateway. */
export interface GatewayDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** What this process knows of jobs; its owner closes it. Without one, the store of DATABASE_URL if that is set. */
  readonly store?: Store | undefined;
  /** Other services of this process, whose state `/readyz` and `/healthz` report as well. */
  readonly otherServices?: () => ProbedServices;
}

export interface GatewayService extends Service {
  /** Where the API is; undefined until started. */
  url(): string | undefined;
  /** Whether callers are asked for a key. */
  readonly needsKey: boolean;
}

/** A broker that is there has answered by then; of one that is not, the channels need not be closed. */
const GONE_MS = 1_000;

/** What exists from start to stop. */
interface Running {
  /** Opened here, so closed here. */
  ownStore?: Store;
  acceptance?: Acceptance;
  streams?: Streams;
  hub?: HistoryHub;
  control?: ControlState;
  watch?: WorkerWatch;
  letters?: Letters;
  jobs?: Jobs;
  http?: HttpServer;
  url?: string;
}

/**
 * The HTTP API that accepts jobs. Its `start` resolves when it listens, also while the broker is away: `ready` says so.
 * @throws ConfigInvalidError naming HOST, WARREN_API_KEYS_FILE or WARREN_API_KEY_RATE; `start` rejects with one that names PORT or HOST
 */
export function createService(config: GatewayConfig, deps: GatewayDeps): GatewayService {
  const keys = configuredKeys(config);
  const isOpen = checkExposure(config.HOST, {
    hasKeys: keys !== undefined,
    allowUnauthenticated: config.WARREN_ALLOW_UNAUTHENTICATED,
  });
  if (isOpen) {
    deps.logger.warn(
      { host: config.HOST },
      'callers are not authenticated: whoever reaches this address may publish, read and change everything',
    );
  }
  const running: Running = {};
  const stopping = new AbortController();
  const lifecycle = createLifecycle({
    name: 'gateway',
    graceMs: config.SHUTDOWN_GRACE_SECONDS * 1_000,
    start: () => start(running, config, { ...deps, keys, service, stopping: stopping.signal }),
    quiesce: async () => {
      stopping.abort();
      running.http?.stopAccepting();
    },
    drain: async (remainingMs) => {
      // Runs over dead letters stop between two, to be resumed.
      const runs = running.letters?.runs?.close();
      await running.http?.drained(remainingMs);
      await runs;
      // Last, so that what was answered 202 is confirmed and what was not is refused.
      await closeJobs(running, remainingMs);
      await Promise.all([running.hub?.close(), running.control?.close(), running.watch?.close()]);
      await running.streams?.broker.close();
      await running.ownStore?.close();
    },
  });
  const service: GatewayService = {
    ...lifecycle,
    ready: () => readinessOf(running, stopping.signal.aborted),
    url: () => running.url,
    needsKey: keys !== undefined,
  };
  return service;
}

interface StartDeps extends GatewayDeps {
  readonly keys: readonly ApiKey[] | undefined;
  readonly service: Service;
  readonly stopping: AbortSignal;
}

async function start(running: Running, config: GatewayConfig, deps: StartDeps): Promise<void> {
  const { logger, metrics, keys, service, stopping, otherServices } = deps;
  const timeoutMs = config.PUBLISH_TIMEOUT_SECONDS * 1_000;
  const jobs = await connectJobs({
    connection: brokerConnection(config),
    service: 'gateway',
    namespace: config.WARREN_NAMESPACE,
    jobs: publicJobs,
    events,
    logger,
    metrics,
    // A caller over HTTP can repeat by itself: while the broker is away it is told so at once.
    publish: { timeoutMs, maxWaitMs: 0 },
    history: config.WARREN_HISTORY && historyBounds(config),
  });
  running.jobs = jobs;
  const store = deps.store ?? (await ownStore(running, config, logger));
  if (store && config.WARREN_HISTORY) {
    running.streams = openStreams(config, logger, metrics);
    running.hub = new HistoryHub(running.streams.source, config.LIVE_MAX_CLIENTS);
    const { broker, names } = running.streams;
    running.watch = new WorkerWatch({ broker, stream: names.history, logger, metrics });
  }
  const acceptance = createAcceptance({
    jobs,
    store,
    jobTypes: publicJobs,
    hasHistory: config.WARREN_HISTORY,
    logger,
    metrics,
    timeoutMs,
  });
  running.acceptance = acceptance;
  const { streams, watch } = running;
  running.letters = openLetters(config, { store, streams, watch, logger, metrics });
  const limits = {
    bodyLimitBytes: config.BODY_LIMIT_BYTES,
    bulkLimitBytes: config.BULK_LIMIT_BYTES,
  };
  const app = createApp({
    accept: acceptance.accept,
    acceptBulk: acceptance.acceptBulk,
    takesKeys: acceptance.takesKeys,
    reader: store?.jobs,
    hub: running.hub,
    ...(store && streams && watch && desksOf(running, streams, watch, { ...deps, store })),
    ...running.letters,
    retry: store && streams && retryByReplay(config, { streams, store, logger }),
    cancel: config.WARREN_HISTORY
      ? cancelByStream(jobs, store && { outbox: store.outbox, writeDown: writerDown(store) })
      : undefined,
    acceptEvent: acceptByEmitting(jobs, timeoutMs),
    catalog: { jobs: publicJobs, events },
    keys,
    keyRate: config.WARREN_API_KEY_RATE,
    ...limits,
    logger,
    requestDurations: metrics.jobs_http_request_duration_seconds,
    stopping,
    services: () => ({ gateway: service, ...otherServices?.() }),
    ...(config.OPS_PORT === undefined && { metrics }),
  });
  running.http = createHttpServer(app.handle, limits);
  const port = await running.http.listen(config.PORT, config.HOST);
  running.url = `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`;
  logger.info({ url: running.url }, 'accepting jobs over HTTP');
}

/** The store that the environment names. Opening it waits for nobody. */
async function ownStore(
  running: Running,
  config: GatewayConfig,
  logger: Logger,
): Promise<Store | undefined> {
  if (config.DATABASE_URL === undefined) return undefined;
  running.ownStore = await openStore({
    databaseUrl: config.DATABASE_URL,
    dataDir: '',
    namespace: config.WARREN_NAMESPACE,
    maxPending: config.OUTBOX_MAX_PENDING,
    logger,
  });
  return running.ownStore;
}

/** What operators see and switch. */
function desksOf(
  running: Running,
  { broker, names }: Streams,
  watch: WorkerWatch,
  { store, logger }: GatewayDeps & { readonly store: Store },
): { readonly queues: QueueDesk; readonly breakers: BreakerDesk; readonly limits: LimitDesk } {
  const tryLock = (name: string) => store.tryLock(name);
  const onNonsense = (offset: number) =>
    logger.warn(
      { queue: names.control, offset },
      'what was switched makes no sense; what was set before stays, and the next change replaces it',
    );
  const control = new ControlState({ broker, stream: names.control, tryLock, onNonsense });
  running.control = control;
  const writeDown = writerDown(store);
  const jobTypes = catalog.map(({ type }) => type);
  const laned = catalog.flatMap(({ type, lanes }) => (lanes ? [type] : []));
  return {
    queues: createQueueDesk({
      broker,
      names,
      control,
      watch,
      writeDown,
      jobTypes,
      laned,
      reader: store.jobs,
      leases: store.leases,
    }),
    breakers: createBreakerDesk({ control, watch, writeDown }),
    limits: createLimitDesk({
      control,
      watch,
      writeDown,
      store: store.limits,
      jobTypes: catalog,
    }),
  };
}

/**
 * What is committed may stay: whoever comes next publishes it. So a broker that is gone, or does not answer, is not waited
 * for to the end.
 */
async function closeJobs({ jobs, acceptance }: Running, remainingMs: number): Promise<void> {
  await acceptance?.close(remainingMs / 2);
  const canBeLeft = acceptance?.storeCheck() !== undefined;
  const closed = jobs?.close();
  await (canBeLeft ? Promise.race([closed, pause(GONE_MS, undefined, { ref: false })]) : closed);
}

/** Ready is who can accept: where the store works, also while the broker is away. */
function readinessOf({ jobs, acceptance, url }: Running, stopping: boolean): Readiness {
  const http = stopping ? 'stopping' : url === undefined ? 'not listening' : 'ok';
  const broker = jobs?.readiness() ?? { ready: false, checks: { broker: 'not connected' } };
  const store = acceptance?.storeCheck();
  const canAccept = broker.ready || store === 'ok';
  const checks = { http, ...broker.checks, ...(store !== undefined && { store }) };
  return { ready: http === 'ok' && canAccept, checks };
}
