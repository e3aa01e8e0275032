import { sendEmail } from '@warren/catalog';
import type { Jobs } from '@warren/client';

/** Publishes one mail to each recipient and yields the ids. @throws the first error */
export async function publishMails(
  jobs: Jobs,
  recipients: readonly string[],
  subject: string,
): Promise<string[]> {
  const mails = recipients.map((to) => ({ to, subject, text: `To ${to}` }));
  const ids: string[] = [];
  for await (const result of jobs.publishMany(sendEmail, mails)) {
    if ('error' in result) throw result.error;
    ids.push(result.id);
  }
  return ids;
}
