import type { ErrorCode } from './error-codes.ts';

/** Base of every error that Warren itself throws. Decide by `code`; the message is for people. */
export class WarrenError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A setting or an option is wrong; `setting` names it. */
export class ConfigInvalidError extends WarrenError {
  readonly setting: string;

  constructor(setting: string, problem: string) {
    super('CONFIG_INVALID', `${setting}: ${problem}`);
    this.setting = setting;
  }
}

/** One thing that is wrong with a payload: where, and what. */
export interface PayloadIssue {
  /** Dotted path from the payload's root; empty for the payload itself. */
  readonly path: string;
  readonly message: string;
}

/** The payload does not fit the job type's schema. Thrown before anything is sent. */
export class PayloadInvalidError extends WarrenError {
  readonly issues: readonly PayloadIssue[];

  constructor(jobType: string, issues: readonly PayloadIssue[]) {
    const list = issues.slice(0, 5).map(({ path, message }) => `${path || 'payload'}: ${message}`);
    super('PAYLOAD_INVALID', `${jobType}: ${list.join('; ')}`);
    this.issues = issues;
  }
}

/** The encoded payload is larger than `limitBytes`. Thrown before anything is sent. */
export class PayloadTooLargeError extends WarrenError {
  readonly sizeBytes: number;
  readonly limitBytes: number;

  constructor(jobType: string, sizeBytes: number, limitBytes: number) {
    super(
      'PAYLOAD_TOO_LARGE',
      `${jobType}: payload of ${sizeBytes} bytes exceeds ${limitBytes} bytes`,
    );
    this.sizeBytes = sizeBytes;
    this.limitBytes = limitBytes;
  }
}

/** A header that may not or cannot be sent; `header` names it. */
export class HeaderInvalidError extends WarrenError {
  readonly header: string;

  constructor(header: string, problem: string) {
    super('HEADER_INVALID', `header ${JSON.stringify(header.slice(0, 80))}: ${problem}`);
    this.header = header;
  }
}

/** The job type, or the event, is not known here. */
export class UnknownJobTypeError extends WarrenError {
  constructor(jobType: string, known: readonly string[], kind: 'job type' | 'event' = 'job type') {
    const hint = known.length > 0 ? `known: ${known.slice(0, 20).join(', ')}` : 'none is known';
    super(
      'UNKNOWN_JOB_TYPE',
      // Callers pass on what others sent: it may be no text at all.
      `unknown ${kind} ${JSON.stringify(String(jobType).slice(0, 100))} (${hint})`,
    );
  }
}

/** The broker had no queue for the message and returned it. */
export class UnroutableError extends WarrenError {
  constructor(exchange: string, routingKey: string, reason: string) {
    super('UNROUTABLE', `no queue is bound to ${exchange} for key ${routingKey} (${reason})`);
  }
}

/** The broker answered a publish with a nack. */
export class PublishRefusedError extends WarrenError {
  constructor(exchange: string, routingKey: string) {
    super('PUBLISH_REFUSED', `the broker refused a message for ${exchange} with key ${routingKey}`);
  }
}

/** The bounded buffer for messages not yet sent is full. Never sent. */
export class PublishBufferFullError extends WarrenError {
  constructor(messages: number, bytes: number) {
    super('PUBLISH_BUFFER_FULL', `${messages} messages (${bytes} bytes) already wait to be sent`);
  }
}

/** As many jobs wait in a queue as its job type's `maxDepth` allows. Never sent. */
export class QueueFullError extends WarrenError {
  readonly queue: string;
  readonly depth: number;

  constructor(queue: string, depth: number, maxDepth: number) {
    super('QUEUE_FULL', `${depth} jobs wait in ${queue}, and ${maxDepth} may`);
    this.queue = queue;
    this.depth = depth;
  }
}

/** There was no connection to the broker within the allowed time. Never sent. */
export class BrokerUnavailableError extends WarrenError {
  constructor(detail: string, options?: { cause?: unknown }) {
    super('BROKER_UNAVAILABLE', `the broker cannot be reached: ${detail}`, options);
  }
}

/** The broker has a resource alarm and takes no messages. Never sent. */
export class BrokerBlockedError extends WarrenError {
  constructor(reason: string) {
    super('BROKER_BLOCKED', `the broker accepts no messages at present: ${reason}`);
  }
}

/** No confirm within the deadline although the message was sent: it may be queued. */
export class PublishTimeoutError extends WarrenError {
  constructor(timeoutMs: number, detail: string) {
    super('PUBLISH_TIMEOUT', `no confirm within ${timeoutMs} ms, the job may be queued: ${detail}`);
  }
}

/** A queue or exchange exists at the broker with other arguments than declared. */
export class TopologyMismatchError extends WarrenError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('TOPOLOGY_MISMATCH', message, options);
  }
}

/** A queue is not there at the broker; `queue` names it. */
export class QueueMissingError extends WarrenError {
  readonly queue: string;

  constructor(queue: string) {
    super('QUEUE_MISSING', `there is no queue ${JSON.stringify(queue)} at the broker`);
    this.queue = queue;
  }
}

/** No job type, worker or operator knows a limit of this name; `limit` has it. */
export class LimitMissingError extends WarrenError {
  readonly limit: string;

  constructor(limit: string) {
    super('LIMIT_MISSING', `there is no limit ${JSON.stringify(limit)}`);
    this.limit = limit;
  }
}

/** What only one may do at a time is being done; `holder` says by whom, if that one answered. */
export class LockHeldError extends WarrenError {
  readonly holder: string | undefined;

  constructor(lock: string, holder: string | undefined) {
    super(
      'LOCK_HELD',
      `${lock} is held by ${holder ?? 'another connection, which does not answer'}`,
    );
    this.holder = holder;
  }
}

/** A queue cannot be deleted or declared anew while somebody consumes it. */
export class QueueInUseError extends WarrenError {
  constructor(queue: string, consumers: number) {
    super(
      'QUEUE_IN_USE',
      `${queue} has ${consumers} ${consumers === 1 ? 'consumer' : 'consumers'}; one that is paused or ends counts while it has messages in hand`,
    );
  }
}

/** Messages of a queue that is to be emptied cannot be copied elsewhere. They are still in it. */
export class MessagesLeftError extends WarrenError {
  constructor(queue: string, count: number, example: string) {
    const those = count === 1 ? '1 message' : `${count} messages`;
    super(
      'MESSAGES_LEFT',
      `${those} of ${queue} cannot be copied and stay in it, such as ${example}`,
    );
  }
}

/** The body of a message cannot be decoded into a payload. */
export class MessageUnreadableError extends WarrenError {
  constructor(problem: string, options?: { cause?: unknown }) {
    super('MESSAGE_UNREADABLE', problem, options);
  }
}

/** The process is shutting down: refused publishes, and the reason of `ctx.signal` after the grace time. */
export class ShuttingDownError extends WarrenError {
  constructor(what: string) {
    super('SHUTTING_DOWN', `${what}: shutting down`);
  }
}
