import { createHash } from 'node:crypto';
import { type Delivery, readMessage } from '@warren/broker';
import { originOf } from '../dead-letter.ts';

/** Bytes of a key. */
export const KEY_BYTES = 16;

/**
 * What a dead letter is known by in the ledger: the same however often it is delivered, and another one for the same job when
 * it has died again, since its generation is higher then. Letters that are alike in all of it are interchangeable.
 */
export function letterKey(message: Delivery['message']): Buffer {
  const { id, generation } = readMessage({ message });
  const facts = [id ?? null, generation, message.fields.routingKey, originOf(message) ?? null];
  const hash = createHash('sha256').update(JSON.stringify(facts)).update(message.content);
  return hash.digest().subarray(0, KEY_BYTES);
}
