import type { OutgoingMessage } from '@warren/broker';
import type { Acceptance } from '@warren/store';
import type { JobRequest } from '../accept-job.ts';

/** What the store is given of a job and its message. */
export function acceptanceOf(
  message: OutgoingMessage,
  { type, correlationId }: JobRequest,
  service: string,
): Omit<Acceptance, 'idempotency'> {
  const { exchange, routingKey, body, properties } = message;
  const id = properties.messageId;
  const base = { id, type, queue: type, generation: 0, attempt: 1, run: '' };
  return {
    message: { id, exchange, routingKey, body, properties: { ...properties } },
    event: { kind: 'accepted', ...base, atMs: Date.now(), service, correlationId },
  };
}
