import type { Delivery, ReceivedMessage } from '@warren/broker';
import {
  decodePayload,
  MessageUnreadableError,
  type PayloadDefinition,
  upgradePayload,
  validatePayload,
} from '@warren/contracts';
import type { Outcome } from '@warren/retry';

/** What came of decoding, upgrading and checking a payload. */
export type PayloadRead =
  | { readonly value: unknown }
  /** `raw` is what was decoded, as far as that went. */
  | { readonly outcome: Outcome; readonly raw: unknown }
  /** Why it waits for another worker. */
  | { readonly newer: string };

/**
 * Reads a payload by its definition; without one it is handed on as it came. Never throws or rejects. A promise only where
 * the schema gives one.
 */
export function readPayload(
  delivery: Delivery,
  { payloadVersion }: ReceivedMessage,
  definition: PayloadDefinition | undefined,
): PayloadRead | Promise<PayloadRead> {
  let raw: unknown;
  try {
    raw = decodePayload(delivery.body, delivery.message.properties.contentEncoding);
    if (!definition) return { value: raw };
    if (payloadVersion > definition.version) return newerThan(definition, payloadVersion);
    const value = validatePayload(definition, upgradePayload(definition, raw, payloadVersion));
    if (!(value instanceof Promise)) return { value };
    const failed = (error: unknown) => toOutcome(error, raw);
    return value.then((settled) => ({ value: settled }), failed);
  } catch (error) {
    return toOutcome(error, raw);
  }
}

/** A newer publisher than this worker, in the middle of a deploy: it waits, unspent, for a worker that can read it. */
function newerThan({ type, version }: PayloadDefinition, payloadVersion: number): PayloadRead {
  return {
    newer: `payload version ${payloadVersion} of ${type} is newer than ${version}, which this worker reads`,
  };
}

function toOutcome(error: unknown, raw: unknown): PayloadRead {
  const kind = error instanceof MessageUnreadableError ? 'unreadable' : 'invalid';
  return { outcome: { kind, error: error as Error }, raw };
}
