import type { Job } from '@warren/contracts';
import type { Logger } from '@warren/telemetry';
import { composeMail, type EmailPayload } from '../../domain/compose-mail.ts';
import type { DeliverMail } from '../../domain/mail.ts';
import type { RecentlySent } from '../../domain/recently-sent.ts';

export interface SendEmailOptions {
  readonly deliver: DeliverMail;
  readonly from: string;
  /** Mails that this process has just sent. */
  readonly recentlySent: RecentlySent;
}

/** What the handler uses of its context. */
interface HandlerContext {
  readonly signal: AbortSignal;
  readonly log: Pick<Logger, 'info'>;
}

/** Handler of `email.send`: one job, one mail; none for a duplicate of one that this process has just sent. */
export function sendEmailHandler({ deliver, from, recentlySent }: SendEmailOptions) {
  return async (job: Job<EmailPayload>, context: HandlerContext): Promise<void> => {
    const mail = composeMail(job, from);
    const fields = { message_id: mail.messageId };
    try {
      const isFirst = await recentlySent.once(job, () => deliver(mail, context.signal));
      const done = isFirst ? 'mail handed to the mail server' : 'duplicate of a mail just sent';
      context.log.info(fields, done);
    } catch (error) {
      // The worker says aloud that the attempt failed; this line is for who looks at the job.
      context.log.info({ ...fields, problem: (error as Error).message }, 'mail not sent');
      throw error;
    }
  };
}
