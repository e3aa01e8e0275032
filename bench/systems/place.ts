/** Where to publish to and consume from; plain data, for who is to know nothing else of Warren. */
export interface QueuePlace {
  readonly url: string;
  readonly namespace: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly queue: string;
}
