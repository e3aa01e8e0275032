import { isTerminal } from '@warren/history';
import type { JobReader, JobRecord } from '@warren/store';
import { badFields, HttpError } from '../http-error.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Which job is meant: by its id, and by its queue where several have that id. */
export interface JobKey {
  readonly id: string;
  readonly queue?: string | undefined;
}

/** An id as jobs have it: UUIDs are in lower case. Others are foreign, and taken as they are. */
export function jobIdOf(text: unknown): string {
  const id = String(text);
  return UUID.test(id) ? id.toLowerCase() : id;
}

/**
 * The job that is meant.
 * @throws HttpError 404 when nobody knows it; 400 when several subscribers have a job with this id and none is named
 */
export async function findJob(reader: JobReader, { id, queue }: JobKey): Promise<JobRecord> {
  const all = await reader.find(id);
  const found = queue === undefined ? all : all.filter((job) => job.queue === queue);
  const [job, ...others] = found;
  if (job === undefined) throw unknownJob(id, queue);
  if (others.length === 0) return job;
  const queues = found.map((one) => one.queue).join(', ');
  throw badFields([
    { field: 'query.queue', message: `several subscribers have this id; give one of ${queues}` },
  ]);
}

/** Nothing more happens to it, unless somebody replays it. */
export function hasEnded({ state }: JobRecord): boolean {
  return isTerminal(state);
}

function unknownJob(id: string, queue: string | undefined): HttpError {
  const where = queue === undefined ? '' : ` in queue ${JSON.stringify(queue.slice(0, 100))}`;
  return new HttpError(404, `no job has the id ${JSON.stringify(id.slice(0, 100))}${where}`, {
    code: 'NOT_FOUND',
  });
}
