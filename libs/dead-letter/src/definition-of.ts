import { type JobDefinition, LANES } from '@warren/contracts';
import type { Names } from '@warren/topology';
import type { DeadLetter } from './dead-letter.ts';
import type { FoundSource } from './find-source.ts';

/** What an installation knows. */
export interface KnownJobs {
  readonly jobs: readonly JobDefinition[];
  readonly names: Names;
}

/** The job type that a dead letter is of, where this installation knows it. Among the unroutable, the queue that one was meant for tells its job type. */
export function definitionOf(
  letter: Pick<DeadLetter, 'origin' | 'routingKey'>,
  { jobType }: Pick<FoundSource, 'jobType'>,
  { jobs, names }: KnownJobs,
): JobDefinition | undefined {
  if (jobType !== undefined) return jobs.find((job) => job.type === jobType);
  return jobs.find(({ type }) => {
    const lanes = LANES.map((lane) => names.laneQueue(type, lane));
    const queues = [...lanes, names.suspectQueue(type)];
    return queues.includes(letter.origin ?? letter.routingKey);
  });
}
