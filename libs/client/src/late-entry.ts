import type { OutgoingMessage } from '@warren/broker';
import { HEADERS, LANES } from '@warren/contracts';
import type { Names } from '@warren/topology';
import { jobEntry } from './outgoing-job.ts';

/** As for any delay: so much later than asked for, or a twentieth of its tier, is not worth another way in. */
const TOLERANCE_MS = 250;
const TOLERANCE_RATIO = 0.05;

/**
 * A finished message as it is to be sent now. A delay counts from when it was asked for: of one that was kept meanwhile, the
 * tier that it was meant for may be too long by now, or its time has come.
 */
export function enteredNow(names: Names, message: OutgoingMessage, nowMs: number): OutgoingMessage {
  const { expiration, type, headers } = message.properties;
  if (expiration === undefined || type === undefined) return message;
  const notBeforeMs: unknown = headers?.[HEADERS.notBefore];
  if (typeof notBeforeMs !== 'number') return message;
  const tierMs = Number(expiration);
  const lateMs = nowMs + tierMs - notBeforeMs;
  if (lateMs <= Math.max(TOLERANCE_MS, tierMs * TOLERANCE_RATIO)) return message;
  const lane = LANES.find((one) => names.laneQueue(type, one) === message.routingKey);
  if (lane === undefined) return message;
  const delayMs = Math.max(0, notBeforeMs - nowMs);
  const { exchange, routingKey, expirationMs } = jobEntry(names, type, { delayMs, lane }, nowMs);
  const { expiration: _, ...properties } = message.properties;
  return {
    ...message,
    exchange,
    routingKey,
    properties: {
      ...properties,
      ...(expirationMs !== undefined && { expiration: String(expirationMs) }),
    },
  };
}
