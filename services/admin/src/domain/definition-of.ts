import { type JobDefinition, LANES } from '@warren/contracts';
import type { DeadLetter } from '@warren/dead-letter';
import type { Admin } from '../open-session.ts';
import type { FoundSource } from './find-source.ts';

/** The job type that a dead letter is of, where this installation knows it. Among the unroutable, the queue that one was meant for tells its job type. */
export function definitionOf(
  letter: Pick<DeadLetter, 'origin' | 'routingKey'>,
  { jobType }: Pick<FoundSource, 'jobType'>,
  { shell, topology }: Pick<Admin, 'shell' | 'topology'>,
): JobDefinition | undefined {
  const { names } = topology;
  const byType = (type: string) => shell.jobs.find((job) => job.type === type);
  if (jobType !== undefined) return byType(jobType);
  return shell.jobs.find(({ type }) => {
    const lanes = LANES.map((lane) => names.laneQueue(type, lane));
    const queues = [...lanes, names.suspectQueue(type)];
    return queues.includes(letter.origin ?? letter.routingKey);
  });
}
