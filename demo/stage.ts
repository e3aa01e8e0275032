import { randomBytes } from 'node:crypto';
import type { SessionOptions } from '@warren/broker';
import { catalog, events, orderPlaced } from '@warren/catalog';
import { connectJobs, type Jobs } from '@warren/client';
import { createService as createEmail, emailSettings } from '@warren/email';
import { loadConfig } from '@warren/runtime';
import { createLogger, createMetrics, type Logger, type Metrics } from '@warren/telemetry';
import { AmqpAdmin, deleteTopology } from '@warren/testing';
import { buildTopology, type Topology } from '@warren/topology';
import { createWorker } from '@warren/worker';
import { createSubscribers, type Subscribers } from './subscribers.ts';
import { describeError } from './support/describe-error.ts';
import { JobLog } from './support/job-log.ts';
import { type MailboxClient, mailboxClient } from './support/mailbox-client.ts';
import { waitFor } from './support/wait-for.ts';

/** An installation of the kit in a namespace of its own, with what the steps use and look at. */
export interface Stage {
  readonly jobs: Jobs;
  readonly mailbox: MailboxClient;
  readonly subscribers: Subscribers;
  readonly log: JobLog;
  readonly topology: Topology;
  /** To work on dead letters with. */
  readonly session: SessionOptions;
  /** Messages that lie ready in a queue, as the broker counts them. */
  depth(queue: string): Promise<number>;
  /** Aborted when the demo is to end early. */
  readonly signal: AbortSignal;
  /** Stops what was started and deletes the namespace. */
  close(): Promise<void>;
}

/** Handlers of the demo end at once. */
const GRACE_MS = 2_000;

/** What every part is given. */
interface Common {
  readonly connection: { readonly urls: readonly string[] };
  readonly namespace: string;
  readonly service: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Starts everything on a broker. @throws where the broker does not answer */
export async function openStage(brokerUrl: string, signal: AbortSignal): Promise<Stage> {
  const endings: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const namespace = `demo-${randomBytes(4).toString('hex')}`;
    return { ...(await build(brokerUrl, namespace, signal, endings)), signal, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  url: string,
  namespace: string,
  signal: AbortSignal,
  endings: (() => Promise<void>)[],
): Promise<Omit<Stage, 'signal' | 'close'>> {
  const log = new JobLog();
  const common: Common = {
    connection: { urls: [url] },
    namespace,
    service: 'demo',
    logger: createLogger({ service: 'demo', level: 'info', destination: log.destination }),
    metrics: createMetrics({ service: 'demo', version: 'demo', processMetrics: false }),
  };
  const subscribers = createSubscribers();
  const topology = buildTopology({
    namespace,
    jobTypes: catalog.map(({ type }) => type),
    subscribers: subscribers.names.map((name) => ({ name, patterns: [orderPlaced.type] })),
    // The e-mail service tells it.
    history: {},
  });
  const admin = await AmqpAdmin.connect(url).catch((cause: unknown) => {
    throw new Error(`the broker cannot be reached: ${describeError(cause)}`, { cause });
  });
  endings.push(async () => {
    await admin.close();
    await deleteTopology(url, topology);
  });
  const mailboxUrl = await startEmail(url, common, signal, endings);
  await startSubscribers(common, subscribers, signal, endings);
  const jobs = await connectJobs({ ...common, jobs: catalog, events });
  endings.push(() => jobs.close());
  return {
    jobs,
    mailbox: mailboxClient(mailboxUrl),
    subscribers,
    log,
    topology,
    session: { connection: common.connection, service: 'demo' },
    depth: async (queue) => (await admin.depth(queue)) ?? 0,
  };
}

/** The e-mail service as it is, with its development mailbox. @returns the mailbox's address */
async function startEmail(
  url: string,
  { namespace, logger, metrics }: Common,
  signal: AbortSignal,
  endings: (() => Promise<void>)[],
): Promise<string> {
  const env = {
    AMQP_URL: url,
    WARREN_NAMESPACE: namespace,
    MAILBOX_PORT: '0',
    SHUTDOWN_GRACE_SECONDS: String(GRACE_MS / 1_000),
  };
  const email = createEmail(loadConfig(emailSettings, env), { logger, metrics });
  endings.push(() => email.stop());
  await email.start();
  await waitFor('the e-mail service is ready', () => email.ready().ready || undefined, signal);
  return email.mailboxUrl() ?? '';
}

async function startSubscribers(
  common: Common,
  { handlers }: Subscribers,
  signal: AbortSignal,
  endings: (() => Promise<void>)[],
): Promise<void> {
  const worker = createWorker({ ...common, handlers, shutdownGraceMs: GRACE_MS });
  endings.push(() => worker.stop());
  await worker.start();
  await waitFor('the subscribers read', () => worker.readiness().ready || undefined, signal);
}
