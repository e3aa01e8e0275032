import { Broker } from '@warren/broker';
import { ConfigInvalidError } from '@warren/contracts';
import {
  brokerConnection,
  createLifecycle,
  historyBounds,
  type Service,
  storeLocation,
} from '@warren/runtime';
import { openStore, type Store } from '@warren/store';
import { type Logger, type Metrics, observeConnections } from '@warren/telemetry';
import { buildTopology } from '@warren/topology';
import type { TrackerConfig } from './config.ts';
import { SILENCE_MS } from './domain/run-watch.ts';
import { findDead } from './find-dead.ts';
import { Tracker } from './tracker.ts';

/** What the process gives to the service. */
export interface TrackerDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Closed by its owner, after the service. Without it the service opens the one of DATABASE_URL. */
  readonly store?: Store | undefined;
  /** How long no heartbeat may have named a run that is still done. Default 20,000: workers beat four times as often. */
  readonly silenceMs?: number | undefined;
}

/** What exists from start to stop. */
interface Running {
  broker?: Broker;
  tracker?: Tracker;
  ownStore?: Store;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Writes what happened to jobs into the store. Several may run: one reads, the others stand by. `start` resolves also
 * while the broker or the store is away: `ready` tells.
 * @throws ConfigInvalidError naming `DATABASE_URL`, where the store would be of no use to other processes
 */
export function createService(config: TrackerConfig, deps: TrackerDeps): Service {
  if (!deps.store && config.WARREN_HISTORY && config.DATABASE_URL === undefined) {
    throw new ConfigInvalidError(
      'DATABASE_URL',
      'must be set: an embedded store is for the process that has it, and no other could read what is tracked',
    );
  }
  const running: Running = {};
  const lifecycle = createLifecycle({
    name: 'tracker',
    graceMs: config.SHUTDOWN_GRACE_SECONDS * 1_000,
    start: () => (config.WARREN_HISTORY ? start(running, config, deps) : Promise.resolve()),
    drain: () => stop(running),
  });
  return {
    ...lifecycle,
    ready() {
      if (!config.WARREN_HISTORY) return { ready: true, checks: { history: 'off' } };
      const starting = { ready: false, checks: { history: 'not reading yet' } };
      return running.tracker?.readiness() ?? starting;
    },
  };
}

async function start(running: Running, config: TrackerConfig, deps: TrackerDeps): Promise<void> {
  const { logger, metrics } = deps;
  const namespace = config.WARREN_NAMESPACE;
  const store = deps.store ?? (await openStore({ ...storeLocation(config), namespace, logger }));
  if (!deps.store) running.ownStore = store;
  const connection = brokerConnection(config);
  const topology = buildTopology({ namespace, jobTypes: [], history: historyBounds(config) });
  running.broker = new Broker({
    connection,
    service: 'tracker',
    topology,
    events: observeConnections(logger, metrics),
  });
  running.tracker = new Tracker({
    broker: running.broker,
    store,
    silenceMs: deps.silenceMs ?? SILENCE_MS,
    findDead: (queue, jobs) => findDead({ connection, names: topology.names }, queue, jobs),
    keepMs: {
      endedJobs: config.RETENTION_SUCCEEDED_DAYS * DAY_MS,
      idempotencyKeys: config.RETENTION_KEYS_HOURS * HOUR_MS,
      claims: config.RETENTION_CLAIMS_DAYS * DAY_MS,
      limits: HOUR_MS,
    },
    logger,
    metrics,
  });
  running.tracker.start();
}

/** The store goes last: what is being written may end. */
async function stop({ tracker, broker, ownStore }: Running): Promise<void> {
  await tracker?.stop();
  await broker?.close();
  await ownStore?.close();
}
