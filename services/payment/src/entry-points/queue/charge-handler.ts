import type { chargePayment } from '@warren/catalog';
import type { Job, PayloadOutput } from '@warren/contracts';
import type { Logger } from '@warren/telemetry';
import type { JobContext } from '@warren/worker';
import type { RequestCharge } from '../../data-access/provider-client.ts';
import type { Charged } from '../../domain/charge.ts';
import { idempotencyKey } from '../../domain/idempotency-key.ts';

type ChargeJob = Pick<Job<PayloadOutput<typeof chargePayment>>, 'id' | 'payload'>;

/** What the handler uses of its context. */
export interface HandlerContext extends Pick<JobContext, 'signal'> {
  readonly log: Pick<Logger, 'info'>;
}

/** Handler of `payment.charge`. */
export function chargeHandler(requestCharge: RequestCharge) {
  return async ({ id, payload }: ChargeJob, context: HandlerContext): Promise<Charged> => {
    context.signal.throwIfAborted();
    const charged = await requestCharge(payload, idempotencyKey(id), context.signal);
    context.log.info({ ...charged }, 'payment charged');
    return charged;
  };
}
