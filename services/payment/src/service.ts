import { chargePayment } from '@warren/catalog';
import { ConfigInvalidError } from '@warren/contracts';
import {
  createLifecycle,
  type Readiness,
  type Service,
  storeLocation,
  workerEnvironment,
} from '@warren/runtime';
import { openStore, type Store, StoreWatch } from '@warren/store';
import type { Logger, Metrics } from '@warren/telemetry';
import { createWorker, handle, type Worker } from '@warren/worker';
import type { PaymentConfig } from './config.ts';
import { createProviderClient } from './data-access/provider-client.ts';
import {
  createDevelopmentProvider,
  type DevelopmentProvider,
} from './development/development-provider.ts';
import { chargeHandler } from './entry-points/queue/charge-handler.ts';

/** What the process gives to the service. */
export interface PaymentDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Closed by its owner, after the service. Without it the service opens the one of DATABASE_URL. */
  readonly store?: Pick<Store, 'claims' | 'ping'> | undefined;
  /** Whether to charge nobody, at a provider in this process, where PAYMENT_PROVIDER_URL is unset. Default false. */
  readonly developmentProvider?: boolean | undefined;
  /** How long the claim on a job outlives a run that died. Default 30,000. */
  readonly claimLeaseMs?: number | undefined;
}

export interface PaymentService extends Service {
  /** Page of the provider for development; undefined until started, and where a real one is asked. */
  chargesUrl(): string | undefined;
}

/** What exists from start to stop. */
interface Running {
  worker?: Worker;
  ownStore?: Store;
  storeWatch?: StoreWatch;
  development?: DevelopmentProvider;
  chargesUrl?: string;
}

/**
 * Charges for `payment.charge` jobs, once for each. Its `start` resolves also while the broker, the store or the provider is
 * away: `ready` tells of the broker and the store, and jobs wait or are retried while they cannot be claimed or charged.
 * `start` rejects with a ConfigInvalidError that names PAYMENT_DEV_PORT when that is in use.
 * @throws ConfigInvalidError naming the setting without which nobody could be charged, or not only once
 */
export function createService(config: PaymentConfig, deps: PaymentDeps): PaymentService {
  checkConfig(config, deps);
  const running: Running = {};
  const lifecycle = createLifecycle({
    name: 'payment',
    graceMs: config.SHUTDOWN_GRACE_SECONDS * 1_000,
    start: () => start(running, config, deps),
    drain: async () => {
      await running.worker?.stop();
      running.storeWatch?.close();
      await running.development?.stop();
      // Last: results are kept until the worker has ended.
      await running.ownStore?.close();
    },
  });
  return {
    ...lifecycle,
    ready: () => readinessOf(running),
    healthy: () => running.worker?.isHealthy() ?? true,
    chargesUrl: () => running.chargesUrl,
  };
}

/** Without the store no job can be claimed, so none is charged. */
function readinessOf({ worker, storeWatch }: Running): Readiness {
  if (!worker || !storeWatch) return { ready: false, checks: { worker: 'not started' } };
  const { ready, checks } = worker.readiness();
  const store = storeWatch.check;
  return { ready: ready && store === 'ok', checks: { ...checks, store } };
}

function checkConfig(config: PaymentConfig, deps: PaymentDeps): void {
  if (config.PAYMENT_PROVIDER_URL === undefined && !deps.developmentProvider) {
    throw new ConfigInvalidError(
      'PAYMENT_PROVIDER_URL',
      'must be set: without a provider nobody can be charged. `npm start` has one for development',
    );
  }
  if (config.PAYMENT_PROVIDER_URL !== undefined && config.PAYMENT_PROVIDER_KEY === undefined) {
    throw new ConfigInvalidError(
      'PAYMENT_PROVIDER_KEY',
      'must be set where PAYMENT_PROVIDER_URL is',
    );
  }
  if (!deps.store && config.DATABASE_URL === undefined) {
    throw new ConfigInvalidError(
      'DATABASE_URL',
      'must be set: an embedded store is for the process that has it, and a second one would charge again',
    );
  }
}

async function start(running: Running, config: PaymentConfig, deps: PaymentDeps): Promise<void> {
  const { logger, metrics, claimLeaseMs } = deps;
  const provider = await providerOf(running, config, logger);
  const store = deps.store ?? (await ownStore(running, config, logger));
  running.storeWatch = new StoreWatch(store);
  running.storeWatch.start();
  const requestCharge = createProviderClient({
    ...provider,
    timeoutMs: config.PAYMENT_TIMEOUT_SECONDS * 1_000,
  });
  running.worker = createWorker({
    ...workerEnvironment(config),
    service: 'payment',
    logger,
    metrics,
    claims: store.claims,
    claimLeaseMs,
    handlers: [handle(chargePayment, chargeHandler(requestCharge))],
  });
  await running.worker.start();
}

async function ownStore(running: Running, config: PaymentConfig, logger: Logger): Promise<Store> {
  const { WARREN_NAMESPACE: namespace } = config;
  running.ownStore = await openStore({ ...storeLocation(config), namespace, logger });
  return running.ownStore;
}

/** Where charges are asked for. */
async function providerOf(running: Running, config: PaymentConfig, logger: Logger) {
  const { PAYMENT_PROVIDER_URL: url, PAYMENT_PROVIDER_KEY: key } = config;
  if (url !== undefined && key !== undefined) return { url, key };
  running.development = createDevelopmentProvider(config.PAYMENT_DEV_PORT);
  const own = await running.development.start();
  running.chargesUrl = `${own}/charges`;
  logger.info(
    { url: running.chargesUrl },
    'PAYMENT_PROVIDER_URL is not set: a provider for development stands in, nobody is charged',
  );
  return { url: own, key: 'development' };
}
