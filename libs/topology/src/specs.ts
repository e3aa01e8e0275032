type Arguments = Readonly<Record<string, string | number>>;

/** An exchange to declare; always durable. */
export interface ExchangeSpec {
  readonly kind: 'exchange';
  readonly name: string;
  readonly type: 'topic' | 'direct' | 'fanout';
  readonly arguments: Arguments;
}

/** What a queue is for. */
export type QueueRole = 'work' | 'suspect' | 'dead' | 'retry' | 'unroutable' | 'stream';

/** A queue to declare; always durable, and a quorum queue unless it is a stream. */
export interface QueueSpec {
  readonly kind: 'queue';
  readonly name: string;
  readonly role: QueueRole;
  /** Absent for queues that all job types share. */
  readonly jobType?: string;
  readonly arguments: Arguments;
}

/** A queue to bind to an exchange. */
export interface BindingSpec {
  readonly kind: 'binding';
  readonly exchange: string;
  readonly queue: string;
  readonly routingKey: string;
}

/** One declaration. */
export type TopologyStep = ExchangeSpec | QueueSpec | BindingSpec;
