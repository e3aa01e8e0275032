import { join } from 'node:path';
import { createService as createDocuments } from '@warren/documents';
import { createService as createEmail, type EmailService } from '@warren/email';
import { createService as createGateway, type GatewayService } from '@warren/gateway';
import {
  askOnTerminal,
  type BrokerAddress,
  type ObtainBrokerOptions,
  type ObtainedBroker,
  obtainBroker,
} from '@warren/local-broker';
import { createService as createPayment } from '@warren/payment';
import {
  CannotStartError,
  createLifecycle,
  noteGateway,
  type Service,
  type Shell,
  storeLocation,
} from '@warren/runtime';
import { openStore, type Store } from '@warren/store';
import { createService as createTracker } from '@warren/tracker';
import { createService as createWebhook } from '@warren/webhook';
import { checkStart } from './check-start.ts';
import type { LocalConfig } from './config.ts';
import { greeting } from './greeting.ts';
import { untilReady } from './until-ready.ts';

/** A stop that is over sooner needs no words. */
const WORTH_SAYING_MS = 1_000;

/** What exists from start to stop. */
interface Running {
  broker?: ObtainedBroker;
  store?: Store;
  tracker?: Service;
  email?: EmailService;
  documents?: Service;
  payment?: Service;
  webhook?: Service;
  gateway?: GatewayService;
}

/** What the process gives to the service. */
export interface LocalDeps extends Shell {
  readonly env: NodeJS.ProcessEnv;
  /** Takes what a person should read. */
  readonly print: (text: string) => void;
  /** Where a broker of this machine would listen. Default: 127.0.0.1:5672. */
  readonly localBroker?: BrokerAddress;
}

/**
 * All services in one process, with the broker that it finds or starts. `start` resolves once every service is ready.
 * `start` rejects with a CannotStartError that says what to do where there is no broker and none can be started.
 */
export function createService(config: LocalConfig, deps: LocalDeps): Service {
  const running: Running = {};
  let patience: NodeJS.Timeout | undefined;
  const lifecycle = createLifecycle({
    name: 'local',
    graceMs: config.SHUTDOWN_GRACE_SECONDS * 1_000,
    start: (signal) => start(running, config, deps, signal),
    quiesce: async () => {
      patience = setTimeout(() => void sayIfJobsRun(config, deps), WORTH_SAYING_MS);
      await running.gateway?.stop();
    },
    drain: () => stopAll(running, config, deps).finally(() => clearTimeout(patience)),
  });
  return {
    ...lifecycle,
    ready: () => running.gateway?.ready() ?? { ready: false, checks: { local: 'starting' } },
    healthy: () => handlingServices(running).every((service) => service?.healthy?.() ?? true),
  };
}

/** Those that handle jobs. */
const handlingServices = ({ email, documents, payment, webhook }: Running) => [
  email,
  documents,
  payment,
  webhook,
];

const JOBS_RUN = /^jobs_in_flight\{[^}]*\} [1-9]/m;

async function sayIfJobsRun(
  { SHUTDOWN_GRACE_SECONDS: seconds }: LocalConfig,
  { metrics, print }: LocalDeps,
): Promise<void> {
  if (!JOBS_RUN.test(await metrics.text())) return;
  print(`Stopping: running jobs have up to ${seconds} s to end. Ctrl-C again stops at once.`);
}

/** Some seconds, which are not those of jobs; a broker that was there before is left alone. */
async function stopBroker({ broker }: Running, { print }: LocalDeps): Promise<void> {
  if (broker?.origin === 'private node' || broker?.origin === 'docker') print('Stopping RabbitMQ');
  await broker?.stop();
}

async function start(
  running: Running,
  config: LocalConfig,
  deps: LocalDeps,
  signal: AbortSignal,
): Promise<void> {
  const { env, print, localBroker } = deps;
  await checkStart(config);
  const wanted = { env, ask: askOnTerminal(), log: print, ...(localBroker && { localBroker }) };
  const broker = await obtainBroker(wanted).catch((error: Error) => {
    throw new CannotStartError(error.message, { cause: error });
  });
  running.broker = broker;
  signal.throwIfAborted();
  const settings = { ...config, AMQP_URL: config.AMQP_URL ?? [broker.url] };
  const { email, gateway, ...others } = await createServices(running, settings, deps);
  const services = [email, gateway, ...Object.values(others)];
  await Promise.all(services.map((service) => service.start()));
  // Other processes that want the embedded store are told who has it.
  if (running.store?.kind === 'embedded') await noteGateway(config.WARREN_DATA_DIR, gateway.url());
  await untilReady(services, signal, print);
  const urls = { gatewayUrl: gateway.url() ?? '', mailboxUrl: email.mailboxUrl() };
  const needsKey = gateway.needsKey;
  print(greeting({ ...urls, needsKey, broker: await withConsole(broker, wanted) }));
}

/** All services, with the one store that those share who need it. */
async function createServices(
  running: Running,
  settings: LocalConfig & { readonly AMQP_URL: readonly string[] },
  { logger, metrics }: LocalDeps,
) {
  const depsOf = (component: string) => ({ logger: logger.child({ component }), metrics });
  const store = await openStore({
    ...storeLocation(settings),
    namespace: settings.WARREN_NAMESPACE,
    maxPending: settings.OUTBOX_MAX_PENDING,
    logger: depsOf('store').logger,
  });
  running.store = store;
  const tracker = createTracker(settings, { ...depsOf('tracker'), store });
  const email = createEmail(settings, depsOf('email'));
  const documents = createDocuments(settings, depsOf('documents'));
  const payment = createPayment(settings, {
    ...depsOf('payment'),
    store,
    developmentProvider: true,
  });
  const webhook = createWebhook(settings, {
    ...depsOf('webhook'),
    developmentSecretFile: join(settings.WARREN_DATA_DIR, 'webhook-secret'),
  });
  const gateway = createGateway(settings, {
    ...depsOf('gateway'),
    store,
    otherServices: () => ({ email, documents, payment, webhook, tracker }),
  });
  const services = { tracker, email, documents, payment, webhook, gateway };
  Object.assign(running, services);
  return services;
}

/** Each step is taken, whatever became of those before it. Rejects with the first failure. */
async function stopAll(
  running: Running,
  { WARREN_DATA_DIR }: LocalConfig,
  deps: LocalDeps,
): Promise<void> {
  const steps = [
    () => Promise.all(handlingServices(running).map(async (service) => service?.stop())),
    () => running.tracker?.stop(),
    () => stopBroker(running, deps),
    async () => {
      if (running.store?.kind === 'embedded') await noteGateway(WARREN_DATA_DIR, undefined);
    },
    // Last: the others use it until they have ended.
    () => running.store?.close(),
  ];
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** A broker that came up only now, and its console with it, is looked at again. */
async function withConsole(
  broker: ObtainedBroker,
  wanted: ObtainBrokerOptions,
): Promise<ObtainedBroker> {
  const isNamed = broker.origin === 'AMQP_URL' && broker.consoleUrl === undefined;
  return isNamed ? obtainBroker(wanted) : broker;
}
