/** A file that goes with a mail. */
export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** One mail to one address, ready to be handed to a mail server. */
export interface Mail {
  /** The same for every attempt of a job, so that a mail that was sent twice can be recognised. */
  readonly messageId: string;
  /** Value of the `X-Job-Id` header. */
  readonly jobId: string;
  readonly from: string;
  readonly to: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly attachments?: readonly MailAttachment[];
}

/**
 * Hands a mail to a mail server; resolves once the server took it. Rejects with NonRetryableError where the server will
 * never take this mail, with any other error where another attempt may succeed.
 * @param signal gives up: whether the server took the mail is then unknown
 */
export type DeliverMail = (mail: Mail, signal: AbortSignal) => Promise<void>;
