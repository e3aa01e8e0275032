import type { Names } from '@warren/topology';
import { BREAKER, TYPES } from './job-types.ts';
import type { ServiceName } from './scraped-services.ts';

/** An alert that follows from what `makeFaults` and `keepPublishing` do. */
export interface ExpectedAlert {
  readonly alert: string;
  readonly fault: string;
  /** What it is told of. */
  labels(names: Names): Readonly<Record<string, string>>;
}

const ofQueue = (type: keyof typeof TYPES) => (names: Names) => ({
  queue: names.workQueue(TYPES[type].type),
});
const ofService = (service: ServiceName) => () => ({ service });

/** All alerts that page, but those about the broker, and tickets for what goes wrong most. */
export const EXPECTED: readonly ExpectedAlert[] = [
  {
    alert: 'JobQueueNoConsumers',
    fault: 'jobs wait and their service was stopped',
    labels: ofQueue('left'),
  },
  {
    alert: 'JobQueueStalled',
    fault: 'the only handler ignores its abort',
    labels: ofQueue('hanging'),
  },
  {
    alert: 'JobStartsLateFast',
    fault: 'jobs were on their way for two minutes',
    labels: ofQueue('late'),
  },
  {
    alert: 'JobQueueDepthHigh',
    fault: 'more jobs wait than their type allows',
    labels: ofQueue('slow'),
  },
  {
    alert: 'JobQueueGrowing',
    fault: 'of those jobs more come, and none is done',
    labels: ofQueue('slow'),
  },
  {
    alert: 'JobQueueSlowToDrain',
    fault: 'the same queue',
    labels: ofQueue('slow'),
  },
  {
    alert: 'JobFailureRatioHigh',
    fault: 'all jobs of a type fail for good',
    labels: () => ({ job_type: TYPES.bad.type }),
  },
  {
    alert: 'JobDeadLettersWaiting',
    fault: 'the very first job of a type fails for good',
    labels: (names) => ({ queue: names.deadQueue(TYPES.dying.type) }),
  },
  {
    alert: 'JobRetryStorm',
    fault: 'all attempts fail, sixteen a second',
    labels: ofQueue('stormy'),
  },
  {
    alert: 'JobCircuitOpen',
    fault: 'what handlers call is away',
    labels: () => ({ breaker: BREAKER }),
  },
  {
    alert: 'JobUnroutableHeld',
    fault: 'a queue is deleted while a job waits for its time',
    labels: (names) => ({ queue: names.unroutable }),
  },
  {
    alert: 'JobUnroutable',
    fault: 'jobs are published whose queue was never declared',
    labels: ofService('stranger'),
  },
  {
    alert: 'JobPublishFailing',
    fault: 'the same publishes',
    labels: ofService('stranger'),
  },
  {
    alert: 'JobOutboxLag',
    fault: 'a relay is cut off, and has a message of two minutes ago',
    labels: ofService('remote'),
  },
  {
    alert: 'JobHistoryDropped',
    fault: 'a handler that is cut off writes more lines than may wait',
    labels: ofService('remote'),
  },
  {
    alert: 'JobServiceDisconnected',
    fault: 'a service is cut off from the broker',
    labels: ofService('remote'),
  },
  {
    alert: 'JobServiceDown',
    fault: 'a service was stopped',
    labels: ofService('leaver'),
  },
];

/** Those about the broker, and what the test does to it in the end. */
export const EXPECTED_OF_BROKER = {
  RabbitMQResourceAlarm: 'RabbitMQ raises its memory alarm',
  JobPublisherBlocked: 'the same alarm blocks a service that publishes',
  RabbitMQDown: 'RabbitMQ is killed',
} as const;
