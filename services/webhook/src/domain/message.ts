import { deliverWebhook } from '@warren/catalog';
import { derivedJobId, type Job, type PayloadOutput, timeOfJobId } from '@warren/contracts';

export type WebhookJob = Pick<
  Job<PayloadOutput<typeof deliverWebhook>>,
  'id' | 'payload' | 'publishedAtMs'
>;

/** What a receiver knows the event by: the same at every attempt and replay, whatever id the job was given. */
export function messageId({ id, payload }: WebhookJob): string {
  const wanted = payload.id ?? id;
  return /^[A-Za-z0-9_-]{1,100}$/.test(wanted) ? wanted : derivedJobId(deliverWebhook.type, wanted);
}

/** The body as Standard Webhooks has it. Its time is that of the event, so that it is the same at every attempt. */
export function messageBody({ id, payload, publishedAtMs }: WebhookJob): string {
  const atMs = publishedAtMs ?? timeOfJobId(id);
  const timestamp = atMs === undefined ? undefined : new Date(atMs).toISOString();
  return JSON.stringify({ type: payload.eventType, timestamp, data: payload.data });
}

/** The host of an endpoint, with its port: what a circuit and a limit are for. The payload's schema has seen that it is a URL. */
export function hostOf({ payload }: Pick<WebhookJob, 'payload'>): string {
  return new URL(payload.url).host;
}
