/** A queue, and what is published with it as routing key comes to it. */
export interface Route {
  readonly routingKey: string;
  readonly queue: string;
}

/** Where to publish to and consume from; plain data, for who is to know nothing else of Warren. */
export interface QueuePlace extends Route {
  readonly url: string;
  readonly namespace: string;
  readonly exchange: string;
}
