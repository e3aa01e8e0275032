import { defineJob, pii } from '@warren/contracts';
import { z } from 'zod';
import { httpUrl } from './http-url.ts';

/** What the secret itself begins with, which has no place in a payload. */
const SECRET_PREFIX = 'whsec_';

const secretName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'expected 1 to 63 of a-z, 0-9, ".", "_" and "-"')
  .refine((name) => !name.startsWith(SECRET_PREFIX), {
    message: 'expected the name of a secret, not the secret',
  });

/** Tell one endpoint of one event: signed as Standard Webhooks says, repeated for up to five days until it answers with 2xx. */
export const deliverWebhook = defineJob({
  type: 'webhook.deliver',
  description: 'Deliver one event to a webhook endpoint, signed',
  schema: z
    .strictObject({
      /** Its path or query may hold a secret. */
      url: pii(httpUrl()),
      eventType: z
        .string()
        .max(128)
        .regex(
          /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/,
          'expected words joined by dots, such as order.placed',
        ),
      data: pii(z.record(z.string(), z.unknown())),
      id: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,100}$/, 'expected 1 to 100 letters, digits, "_" and "-"')
        .describe('what receivers know the event by, at every repeat; default: the id of the job')
        .optional(),
      secret: secretName
        .describe('name of the secret in the service that it is signed with; default: default')
        .optional(),
    })
    .meta({
      examples: [
        {
          url: 'https://example.org/hooks/orders',
          eventType: 'order.placed',
          data: { orderId: 'A-1001', total: 1999, currency: 'EUR' },
        },
      ],
    }),
  maxPayloadBytes: 256 * 1024,
  // What Standard Webhooks proposes: three days, in case nobody looks before Monday.
  retry: {
    maxAttempts: 10,
    backoff: {
      kind: 'steps',
      delays: ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'],
      jitter: 'equal',
    },
  },
  timeout: '60s',
  maxAge: '5d',
  // They wait for others nearly all of the time.
  concurrency: 20,
});
