import { createHash } from 'node:crypto';
import type { sendEmail } from '@warren/catalog';
import type { Job, PayloadOutput } from '@warren/contracts';
import type { Mail, MailAttachment } from './mail.ts';

export type EmailPayload = PayloadOutput<typeof sendEmail>;

/**
 * The mail that a job asks for.
 * @param from sender, `Name <address>` or an address alone
 */
export function composeMail(job: Pick<Job<EmailPayload>, 'id' | 'payload'>, from: string): Mail {
  const { to, replyTo, subject, text, html, attachments } = job.payload;
  const jobId = headerSafeId(job.id);
  return {
    messageId: `<${jobId}@${domainOf(from)}>`,
    jobId,
    from,
    to,
    ...(replyTo !== undefined && { replyTo }),
    subject,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(attachments && { attachments: attachments.map(decode) }),
  };
}

function decode(file: NonNullable<EmailPayload['attachments']>[number]): MailAttachment {
  return { ...file, content: Buffer.from(file.content, 'base64') };
}

/** Clients other than ours may choose any text as an id; a header of a mail may not carry it all. */
function headerSafeId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id)) return id;
  return `sha256-${createHash('sha256').update(id).digest('hex')}`;
}

function domainOf(from: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}
