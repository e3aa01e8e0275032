import type { Delivery } from './delivery.ts';

/** One message of a stream. */
export interface StreamMessage {
  readonly offset: number;
  readonly body: Buffer;
  readonly properties: Delivery['message']['properties'];
}
