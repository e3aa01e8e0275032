import { NonRetryableError } from '@warren/contracts';
import type { Logger } from '@warren/telemetry';
import type { JobContext } from '@warren/worker';
import type { Delivered, Deliverer } from '../../data-access/deliverer.ts';
import { hostOf, messageBody, messageId, type WebhookJob } from '../../domain/message.ts';
import { DEFAULT_SECRET, type Secrets } from '../../domain/secrets.ts';
import { signatureHeaders } from '../../domain/sign.ts';

export interface DeliverHandlerOptions {
  readonly deliver: Deliverer['deliver'];
  readonly secrets: Secrets;
}

/** What the handler uses of its context. */
export interface HandlerContext extends Pick<JobContext, 'signal'> {
  readonly log: Pick<Logger, 'info'>;
}

/** Handler of `webhook.deliver`: signs anew at each attempt, under the id that stays. */
export function deliverHandler({ deliver, secrets }: DeliverHandlerOptions) {
  return async (job: WebhookJob, { signal, log }: HandlerContext): Promise<Delivered> => {
    const { url, secret: name = DEFAULT_SECRET } = job.payload;
    const keys = secrets.get(name);
    if (!keys) {
      throw new NonRetryableError(`webhook: there is no secret "${name}" (WEBHOOK_SECRETS)`);
    }
    const message = { id: messageId(job), atMs: Date.now(), body: messageBody(job) };
    const headers = signatureHeaders(message, keys);
    const delivered = await deliver({ url, headers, body: message.body }, signal);
    const { status, durationMs } = delivered;
    log.info(
      { host: hostOf(job), webhook_id: message.id, status, duration_ms: durationMs },
      'webhook delivered',
    );
    return delivered;
  };
}
