import type { Lane } from '@warren/contracts';
import type { Names } from './names.ts';
import type { QueueSpec } from './specs.ts';
import type { RetryTier } from './tiers.ts';

/**
 * Backstops only: attempts are counted in a header of the kit's own. They are spelt out because RabbitMQ 3.10
 * has no limit by default and 4.x has 20, over which it drops messages of queues with no dead-letter exchange.
 */
const WORK_DELIVERY_LIMIT = 1_000;
const KEEP_DELIVERY_LIMIT = 1_000_000;

/**
 * Dead-lettering that survives a crash of the broker needs a quorum queue and all three of these; with one of
 * them missing the broker falls back to at-most-once in silence. `reject-publish` has no effect of its own,
 * since no queue has a length limit: a full queue would freeze every tier that feeds it.
 */
const safeDeadLettering = (exchange: string) => ({
  'x-dead-letter-exchange': exchange,
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
});

const quorum = (deliveryLimit: number) => ({
  'x-queue-type': 'quorum',
  'x-delivery-limit': deliveryLimit,
});

/** The work queue of a job type, or that of one of its lanes. All of them have the same dead letters. */
export function workQueueSpec(names: Names, jobType: string, lane: Lane = 'normal'): QueueSpec {
  return runnable(names, jobType, 'work', names.laneQueue(jobType, lane));
}

/** The queue of a job type's suspects. Its dead letters go where those of the work queue go. */
export function suspectQueueSpec(names: Names, jobType: string): QueueSpec {
  return runnable(names, jobType, 'suspect', names.suspectQueue(jobType));
}

function runnable(
  names: Names,
  jobType: string,
  role: 'work' | 'suspect',
  name: string,
): QueueSpec {
  return queue({
    name,
    role,
    jobType,
    arguments: {
      ...quorum(WORK_DELIVERY_LIMIT),
      ...safeDeadLettering(names.dead),
      'x-dead-letter-routing-key': names.workQueue(jobType),
    },
  });
}

/** Keeps the messages of a queue while it is declared anew: nothing in it ends, whatever happens meanwhile. */
export function holdingQueueSpec(names: Names, name: string): QueueSpec {
  return queue({
    name: names.holdingQueue(name),
    role: 'work',
    arguments: quorum(KEEP_DELIVERY_LIMIT),
  });
}

/** The dead letters of a job type. */
export function deadQueueSpec(names: Names, jobType: string): QueueSpec {
  const name = names.deadQueue(jobType);
  return queue({ name, role: 'dead', jobType, arguments: quorum(KEEP_DELIVERY_LIMIT) });
}

/** Where messages wait whose queue is gone. */
export function unroutableQueueSpec(names: Names): QueueSpec {
  return queue({
    name: names.unroutable,
    role: 'unroutable',
    arguments: quorum(KEEP_DELIVERY_LIMIT),
  });
}

/**
 * The queue of a retry tier. No dead-letter routing key: a message keeps the one it came with, the name of the
 * queue that it returns to. The TTL is the queue's as well as each message's, since a message without one
 * would block all behind it for good.
 */
export function retryQueueSpec(names: Names, tier: RetryTier): QueueSpec {
  return queue({
    name: names.retry(tier),
    role: 'retry',
    arguments: {
      ...quorum(KEEP_DELIVERY_LIMIT),
      ...safeDeadLettering(names.due),
      'x-message-ttl': tier.delayMs,
    },
  });
}

function queue(spec: Omit<QueueSpec, 'kind'>): QueueSpec {
  return Object.freeze({ kind: 'queue', ...spec, arguments: Object.freeze(spec.arguments) });
}
