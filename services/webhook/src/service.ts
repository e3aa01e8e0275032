import { readFileSync } from 'node:fs';
import { deliverWebhook } from '@warren/catalog';
import { ConfigInvalidError } from '@warren/contracts';
import { publicAddresses, type Resolve } from '@warren/outbound';
import {
  createWorkerService,
  type Service,
  type WorkerParts,
  workerEnvironment,
} from '@warren/runtime';
import type { Logger, Metrics } from '@warren/telemetry';
import { createWorker, handle } from '@warren/worker';
import type { WebhookConfig } from './config.ts';
import { createDeliverer, type Deliverer } from './data-access/deliverer.ts';
import { developmentSecret } from './data-access/development-secret.ts';
import { speaksOfHost } from './domain/delivery-error.ts';
import { hostOf } from './domain/message.ts';
import { mergeSecrets, readSecrets, type Secrets } from './domain/secrets.ts';
import { deliverHandler } from './entry-points/queue/deliver-handler.ts';

/** What the process gives to the service. */
export interface WebhookDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where a secret is kept that is made when none is set. Default: without any the service does not begin. */
  readonly developmentSecretFile?: string | undefined;
  /** How names of endpoints are found. Default: by DNS. What is found is checked all the same. */
  readonly resolve?: Resolve | undefined;
  /** How long a host that is away is left alone before it is asked again. Default 30,000. */
  readonly hostResetMs?: number | undefined;
}

const HOST_RESET_MS = 30_000;
const MAX_HOSTS = 1_000;

/**
 * Delivers `webhook.deliver` jobs. Its `start` resolves also while the broker is away: `ready` tells. Jobs of a host that is
 * away, has had as many as it may in a second, or has as many under way as it may, wait, unspent, while those of others are
 * delivered.
 * @throws ConfigInvalidError naming WEBHOOK_SECRETS where there is nothing to sign with, or WEBHOOK_SECRETS_FILE
 */
export function createService(config: WebhookConfig, deps: WebhookDeps): Service {
  const secrets = secretsOf(config);
  if (secrets.size === 0 && deps.developmentSecretFile === undefined) {
    throw new ConfigInvalidError(
      'WEBHOOK_SECRETS',
      'must be set, or WEBHOOK_SECRETS_FILE: no delivery goes out unsigned. `npm start` makes a secret for development',
    );
  }
  const deliverer = createDeliverer({
    mayAsk: publicAddresses(config.WEBHOOK_ALLOW_NETWORKS),
    allowHttp: config.WEBHOOK_ALLOW_HTTP,
    timeoutMs: config.WEBHOOK_TIMEOUT_SECONDS * 1_000,
    resolve: deps.resolve,
  });
  return createWorkerService({
    name: 'webhook',
    graceMs: config.SHUTDOWN_GRACE_SECONDS * 1_000,
    prepare: (parts) => prepare(parts, secrets, deliverer, config, deps),
    close: async () => deliverer.close(),
  });
}

async function prepare(
  parts: WorkerParts,
  known: Secrets,
  deliverer: Deliverer,
  config: WebhookConfig,
  deps: WebhookDeps,
): Promise<void> {
  const secrets = known.size > 0 ? known : await ownSecret(deps);
  const handler = deliverHandler({ deliver: deliverer.deliver, secrets });
  parts.worker = createWorker({
    logger: deps.logger,
    metrics: deps.metrics,
    ...workerEnvironment(config),
    service: 'webhook',
    handlers: [
      handle(deliverWebhook, handler, {
        breaker: hostBreaker(deps),
        limit: hostLimit(config),
        keyConcurrency: { max: config.WEBHOOK_HOST_CONCURRENCY, key: hostOf },
      }),
    ],
  });
}

/** A circuit for each host, so that one that is away does not hold up the others. */
function hostBreaker({ hostResetMs = HOST_RESET_MS }: WebhookDeps) {
  return {
    name: 'webhook',
    key: hostOf,
    isFailure: speaksOfHost,
    maxKeys: MAX_HOSTS,
    resetTimeout: `${hostResetMs}ms`,
  } as const;
}

/** Deliveries in a second to each host. This process counts its own: the service has no store. */
function hostLimit({ WEBHOOK_HOST_RATE: rate }: WebhookConfig) {
  const per = '1s';
  const setting = 'WEBHOOK_HOST_RATE';
  return { name: 'webhook-host', scope: 'process', key: hostOf, rate, per, setting } as const;
}

function secretsOf({ WEBHOOK_SECRETS: set, WEBHOOK_SECRETS_FILE: path }: WebhookConfig): Secrets {
  const secrets = set ?? new Map<string, readonly Uint8Array[]>();
  if (path === undefined) return secrets;
  try {
    return mergeSecrets(secrets, readSecrets(readFileSync(path, 'utf8').split('\n')));
  } catch (error) {
    throw new ConfigInvalidError('WEBHOOK_SECRETS_FILE', String(Object(error).message));
  }
}

async function ownSecret({ logger, developmentSecretFile = '' }: WebhookDeps): Promise<Secrets> {
  const secrets = await developmentSecret(developmentSecretFile);
  logger.info(
    { file: developmentSecretFile },
    'WEBHOOK_SECRETS is not set: deliveries are signed with a secret for development',
  );
  return secrets;
}
