import { orderPlaced } from '@warren/catalog';
import { type HandlerRegistration, subscribe } from '@warren/worker';

/** A run of a subscriber. */
export interface SubscriberRun {
  readonly name: string;
  readonly id: string;
  readonly attempt: number;
  readonly failed: boolean;
}

/** Two readers of `order.placed`: one works, one fails at its first attempt. */
export interface Subscribers {
  readonly names: readonly string[];
  readonly handlers: readonly HandlerRegistration[];
  /** Every run so far, oldest first. */
  readonly runs: readonly SubscriberRun[];
}

const RETRY = { maxAttempts: 3, backoff: { kind: 'fixed', delay: '1s' } } as const;

export function createSubscribers(): Subscribers {
  const runs: SubscriberRun[] = [];
  return {
    names: ['stock', 'invoices'],
    runs,
    handlers: [
      subscribe(orderPlaced, { as: 'stock', retry: RETRY }, ({ id, attempt }) => {
        runs.push({ name: 'stock', id, attempt, failed: false });
      }),
      subscribe(orderPlaced, { as: 'invoices', retry: RETRY }, ({ id, attempt }) => {
        const failed = attempt === 1;
        runs.push({ name: 'invoices', id, attempt, failed });
        if (failed) throw new Error('the printer is out of paper');
      }),
    ],
  };
}
