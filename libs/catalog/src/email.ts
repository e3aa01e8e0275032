import { defineJob, pii } from '@warren/contracts';
import { z } from 'zod';
import { attachmentsSchema } from './attachment.ts';

const MIB = 1024 * 1024;

/** One mail to one address. At least one of `text` and `html`. Its sender is the service's to say. */
export const sendEmail = defineJob({
  type: 'email.send',
  description: 'Send one e-mail over SMTP',
  schema: z
    .strictObject({
      to: pii(z.email()),
      replyTo: pii(z.email()).optional(),
      subject: z
        .string()
        .min(1)
        .max(998)
        .regex(/^\P{Cc}*$/u, 'may not contain line breaks or other control characters'),
      text: pii(z.string()).optional(),
      html: pii(z.string()).optional(),
      attachments: attachmentsSchema.optional(),
    })
    .refine((mail) => mail.text !== undefined || mail.html !== undefined, {
      message: 'needs text or html',
      path: ['text'],
    })
    .meta({ examples: [{ to: 'ada@example.org', subject: 'Hello', text: 'Hello Ada' }] }),
  // 5 MiB of attachments are 6.7 MiB in base64.
  maxPayloadBytes: 8 * MIB,
  retry: {
    maxAttempts: 5,
    backoff: { kind: 'exponential', initial: '2s', factor: 3, max: '10m', jitter: 'equal' },
  },
  timeout: '30s',
  maxAge: '1d',
  concurrency: 10,
  // A campaign may put 50,000 at once there.
  alerts: { depth: 60_000 },
});
