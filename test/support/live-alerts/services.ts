import { createOutboxTable, type Jobs, startOutboxRelay } from '@warren/client';
import type { Metrics } from '@warren/telemetry';
import {
  type CuttableProxy,
  Gate,
  type Installation,
  type OwnDatabase,
  ownDatabase,
  quietTelemetry,
  startProxy,
} from '@warren/testing';
import { handle, type Worker } from '@warren/worker';
import { illHandlers, TYPES, UNDECLARED } from './job-types.ts';
import type { ScrapedServices } from './scraped-services.ts';

/** Fewer lines than `remote` writes while its way is cut. */
const SPOOL = { maxEvents: 50 };
const LINES = 4 * SPOOL.maxEvents;

/** A service whose way to the broker can be cut, with a handler that speaks and an outbox that it relays. */
interface Remote {
  readonly proxy: CuttableProxy;
  /** Open when its handler runs. */
  readonly inHand: Gate;
  /** Has the handler write its lines. */
  readonly speak: Gate;
  readonly database: OwnDatabase;
}

/** Services in the process of the test, all well. */
export interface LiveServices {
  /** Publishes all job types. */
  readonly shop: Jobs;
  /** Publishes a type that has no queue, and may not declare one. */
  readonly stranger: Jobs;
  /** Consumes one type. */
  readonly leaver: { readonly worker: Worker; stopMetrics(): Promise<void> };
  readonly remote: Remote;
  /** Ends them, also when the broker is gone. */
  stop(): Promise<void>;
}

/** Starts them. `strangerUrl` is the broker for one who may not declare. */
export async function startServices(
  here: Installation,
  { metrics, ops }: ScrapedServices,
  strangerUrl: string,
): Promise<LiveServices> {
  const end = new Gate();
  const history = false;
  const shop = await here.connect({ service: 'shop', metrics: metrics.shop });
  await here.work(illHandlers(end), { service: 'workers', metrics: metrics.workers, history });
  const left = handle(TYPES.left, () => undefined);
  const worker = await here.work([left], { service: 'leaver', metrics: metrics.leaver, history });
  const stranger = await here.connect({
    service: 'stranger',
    metrics: metrics.stranger,
    connection: { urls: [strangerUrl] },
    jobs: [UNDECLARED],
  });
  const remote = await startRemote(here, metrics.remote);
  return {
    shop,
    stranger,
    leaver: { worker, stopMetrics: () => ops.leaver.stop() },
    remote,
    async stop() {
      end.open();
      remote.speak.open();
      await remote.stop();
      await here.dispose();
    },
  };
}

async function startRemote(
  here: Installation,
  metrics: Metrics,
): Promise<Remote & { stop(): Promise<void> }> {
  const proxy = await startProxy(here.url);
  const common = { service: 'remote', metrics, connection: { urls: [proxy.url] } };
  const [inHand, speak] = [new Gate(), new Gate()];
  const chatty = handle(TYPES.chatty, async (_job, { log }) => {
    inHand.open();
    await speak.opened;
    for (let n = 0; n < LINES; n += 1) log.info(`line ${n}`);
  });
  await here.work([chatty], { ...common, history: { spool: SPOOL } });
  const jobs = await here.connect(common);
  const database = ownDatabase();
  const { pool, schema } = database;
  await createOutboxTable(pool, { schema });
  const relay = startOutboxRelay({ pool, schema, jobs, logger: quietTelemetry().logger, metrics });
  return {
    proxy,
    inHand,
    speak,
    database,
    async stop() {
      await relay.stop();
      await database.dispose();
      proxy.stop();
    },
  };
}
