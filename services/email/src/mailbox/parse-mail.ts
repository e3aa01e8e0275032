import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { simpleParser } from 'mailparser';
import type { ReceivedMail } from './mail-store.ts';

/** Bodies are shown as they came: no part is made up from another one. */
const OPTIONS = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
};

/** Reads one mail off the wire. @param recipients addresses of the SMTP envelope */
export async function parseMail(
  source: Readable,
  recipients: readonly string[],
): Promise<ReceivedMail> {
  const mail = await simpleParser(source, OPTIONS);
  const jobId = mail.headers.get('x-job-id');
  return {
    id: randomUUID(),
    jobId: typeof jobId === 'string' ? jobId : null,
    messageId: mail.messageId ?? null,
    from: mail.from?.text ?? '',
    to: recipients.join(', '),
    subject: mail.subject ?? '',
    // Without the line end that the last line has on the wire.
    text: mail.text?.replace(/\n$/, '') ?? null,
    html: mail.html || null,
    replyTo: mail.replyTo?.value[0]?.address ?? null,
    attachments: mail.attachments.map(({ filename, contentType, size }) => ({
      filename: filename ?? '',
      contentType,
      sizeBytes: size,
    })),
    receivedAt: new Date().toISOString(),
  };
}
