import { createTransport } from 'nodemailer';
import type { DeliverMail, Mail } from '../domain/mail.ts';
import { smtpFailure } from '../domain/smtp-failure.ts';

/** A mail server behind a pool of connections. */
export interface SmtpClient {
  readonly deliver: DeliverMail;
  /** Closes idle connections now, busy ones after their mail. */
  close(): void;
}

export interface SmtpClientOptions {
  /** `smtp://` or `smtps://`; its query may set further options of nodemailer. */
  readonly url: string;
  /** Mails that may be on their way at once. */
  readonly maxConnections: number;
}

/** Below a job's own timeout, so that the reason of a failure is the server's silence, by name. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;
/** Sooner than servers lose patience: a connection that they close under a mail costs an attempt. */
const IDLE_TIMEOUT_MS = 30_000;

/** Connects only when the first mail is sent. */
export function createSmtpClient({ url, maxConnections }: SmtpClientOptions): SmtpClient {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections,
    // A lost connection leaves open whether the mail was taken: when to repeat it is the retry policy's business.
    maxRequeues: 0,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    idleTimeout: IDLE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    deliver: async (mail, signal) => {
      try {
        await transport.sendMail({ ...toMessage(mail), signal });
      } catch (error) {
        signal.throwIfAborted();
        throw smtpFailure(error, mail.to);
      }
    },
    close: () => transport.close(),
  };
}

function toMessage(mail: Mail) {
  const { messageId, jobId, from, to, replyTo, subject, text, html, attachments } = mail;
  return {
    messageId,
    from,
    // As an object, so that a comma or a line break is never read as a second recipient.
    to: { name: '', address: to },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    subject,
    headers: { 'X-Job-Id': jobId },
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(attachments && { attachments: [...attachments] }),
  };
}
