import { sendCampaignPart, sendEmail } from '@warren/catalog';
import { connectJobs } from '@warren/client';
import {
  createWorkerService,
  type Service,
  type WorkerParts,
  workerEnvironment,
} from '@warren/runtime';
import type { Logger, Metrics } from '@warren/telemetry';
import { createWorker, type HandlerBreaker, handle } from '@warren/worker';
import type { EmailConfig } from './config.ts';
import { createSmtpClient, type SmtpClient } from './data-access/smtp.ts';
import { RecentlySent } from './domain/recently-sent.ts';
import { isSmtpOutage } from './domain/smtp-outage.ts';
import { campaignHandlers } from './entry-points/queue/campaign-handlers.ts';
import { sendEmailHandler } from './entry-points/queue/send-email-handler.ts';
import { createMailbox, type Mailbox } from './mailbox/mailbox.ts';

/** What the process gives to the service. */
export interface EmailDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface EmailService extends Service {
  /** Page of the development mailbox; undefined until started, and where mails go to a real server. */
  mailboxUrl(): string | undefined;
}

/** A connection attempt every ten seconds is no burden on a server that is away. */
const SMTP_BREAKER: HandlerBreaker = {
  name: 'smtp',
  resetTimeout: '10s',
  isFailure: isSmtpOutage,
};

/** What exists from start to stop, besides the worker and what campaigns publish with. */
interface Running {
  smtp?: SmtpClient;
  mailbox?: Mailbox;
  mailboxUrl?: string;
}

/**
 * Sends the mails of `email.send` jobs, and makes such jobs out of campaigns. Its `start` resolves also while the broker or the mail server is away: `ready`
 * tells of the broker. Jobs are retried while mails cannot be sent, and wait, unspent, once it is plain that the mail server is away.
 * `start` rejects with a ConfigInvalidError that names MAILBOX_PORT when that is in use.
 */
export function createService(config: EmailConfig, deps: EmailDeps): EmailService {
  const running: Running = {};
  const service = createWorkerService({
    name: 'email',
    graceMs: config.SHUTDOWN_GRACE_SECONDS * 1_000,
    prepare: (parts) => prepare(parts, running, config, deps),
    close: async () => {
      running.smtp?.close();
      await running.mailbox?.stop();
    },
  });
  return { ...service, mailboxUrl: () => running.mailboxUrl };
}

async function prepare(
  parts: WorkerParts,
  running: Running,
  config: EmailConfig,
  deps: EmailDeps,
): Promise<void> {
  const url = config.SMTP_URL ?? (await startMailbox(running, config, deps.logger));
  const concurrency = config.CONCURRENCY?.[sendEmail.type] ?? config.EMAIL_CONCURRENCY;
  const smtp = createSmtpClient({ url, maxConnections: concurrency });
  running.smtp = smtp;
  const handler = sendEmailHandler({
    deliver: smtp.deliver,
    from: config.MAIL_FROM,
    recentlySent: new RecentlySent(),
  });
  const common = {
    ...deps,
    ...workerEnvironment(config),
    service: 'email',
  };
  const jobs = await connectJobs({ ...common, jobs: [sendEmail, sendCampaignPart] });
  parts.jobs = jobs;
  parts.worker = createWorker({
    ...common,
    handlers: [
      handle(sendEmail, handler, { concurrency, breaker: SMTP_BREAKER }),
      ...campaignHandlers(jobs),
    ],
  });
}

async function startMailbox(
  running: Running,
  config: EmailConfig,
  logger: Logger,
): Promise<string> {
  running.mailbox = createMailbox({ port: config.MAILBOX_PORT, logger });
  const { url, smtpUrl } = await running.mailbox.start();
  running.mailboxUrl = url;
  logger.info({ url }, 'SMTP_URL is not set: mails go to the development mailbox');
  return smtpUrl;
}
