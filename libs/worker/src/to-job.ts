import { type Delivery, foreignHeaders } from '@warren/broker';
import type { Job } from '@warren/contracts';
import type { Identified } from './identified.ts';

/** What a handler gets of a delivery. */
export function toJob(
  delivery: Delivery,
  { id, attempt, generation, publishedAtMs, correlationId }: Identified,
  payload: unknown,
  type: string,
): Job {
  const { queue, message } = delivery;
  const headers = foreignHeaders(message.properties.headers);
  return { id, type, payload, attempt, generation, queue, publishedAtMs, correlationId, headers };
}
