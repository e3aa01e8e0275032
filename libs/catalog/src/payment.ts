import { defineJob, pii } from '@warren/contracts';
import { z } from 'zod';

/** Take money for an order. Runs once: its id is the provider's idempotency key, and its result is kept. */
export const chargePayment = defineJob({
  type: 'payment.charge',
  description: 'Charge a customer for an order, once',
  schema: z
    .strictObject({
      orderId: z.string().min(1).max(100),
      amount: z
        .int()
        .positive()
        .describe("in the currency's smallest unit: 1999 is 19.99 EUR, or 1999 JPY"),
      currency: z.string().regex(/^[A-Z]{3}$/, 'expected three capital letters, such as EUR'),
      /** Whom the provider charges, in the provider's words: a customer's or a card's token there. */
      customer: pii(z.string().min(1).max(200)),
    })
    .meta({
      examples: [{ orderId: 'A-1001', amount: 1999, currency: 'EUR', customer: 'cus_4711' }],
    }),
  // Four hours and more: a provider that is down is waited for.
  retry: {
    maxAttempts: 16,
    backoff: { kind: 'exponential', initial: '2s', factor: 3, max: '30m', jitter: 'equal' },
  },
  timeout: '60s',
  // Providers forget idempotency keys after a day or so: a later repeat might be a second charge.
  maxAge: '23h',
  once: true,
  // A run that died holds its claim until the lease ends, and others come and look meanwhile.
  maxSnoozes: 10_000,
  concurrency: 10,
});
