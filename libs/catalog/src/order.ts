import { defineEvent } from '@warren/contracts';
import { z } from 'zod';

/** Somebody has placed an order. The amount is in the currency's smallest unit, so that no cent is lost to rounding. */
export const orderPlaced = defineEvent({
  type: 'order.placed',
  description: 'An order has been placed',
  schema: z
    .strictObject({
      orderId: z.string().min(1).max(100),
      total: z
        .int()
        .nonnegative()
        .describe("in the currency's smallest unit: 1999 is 19.99 EUR, or 1999 JPY"),
      currency: z.string().regex(/^[A-Z]{3}$/, 'expected three capital letters, such as EUR'),
    })
    .meta({ examples: [{ orderId: 'A-1001', total: 1999, currency: 'EUR' }] }),
});
