import type { Jobs } from '@warren/client';
import type { AcceptBulk } from './accept-bulk.ts';

/** What publishing many needs of the client. */
export type BulkPublisher = Pick<Jobs, 'publishManyByType' | 'refusal'>;

/** Accepts many jobs by publishing them, each with the client's own deadline: durable means confirmed by the broker. */
export function acceptBulkByPublishing(jobs: BulkPublisher): AcceptBulk {
  return {
    refusal: () => jobs.refusal(),
    publishMany: (items) => jobs.publishManyByType(items),
  };
}
