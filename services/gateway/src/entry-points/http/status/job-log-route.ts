import type { Request, Response } from 'express';
import type { Route } from '../route.ts';
import { answerJson } from './answer-json.ts';
import { findJob, jobIdOf } from './find-job.ts';
import { logView } from './job-view.ts';
import { answers, JOB_ID, PAGE, PAGE_LIMIT, QUEUE } from './parameters.ts';
import { readQuery, wholeNumberIn } from './query.ts';
import { needed, STORE_ERRORS, type StatusOptions } from './store-port.ts';

/** `GET /v1/jobs/:id/log`: the lines that a job's handler wrote. */
export function jobLogRoute({ reader }: StatusOptions): Route {
  return {
    method: 'get',
    path: '/v1/jobs/:id/log',
    handle: (request, response) => getLog(request, response, { reader }),
    doc: {
      operationId: 'getJobLog',
      tag: 'jobs',
      summary: 'What a job logged, run by run',
      description: 'Needs the store. Of each job the newest 1,000 lines are kept.',
      parameters: [JOB_ID, QUEUE, ...PAGE],
      responses: answers('A page of lines.', 'LogPage'),
      errors: { 400: ['BAD_REQUEST', 'CURSOR_INVALID'], 404: ['NOT_FOUND'], ...STORE_ERRORS },
    },
  };
}

async function getLog(
  request: Request,
  response: Response,
  { reader }: StatusOptions,
): Promise<void> {
  const query = readQuery(request, ['queue', 'limit', 'cursor']);
  const limit = wholeNumberIn(query.limit, 'limit', PAGE_LIMIT);
  const jobs = needed(reader);
  const key = { id: jobIdOf(request.params['id']), queue: query.queue };
  const { queue, id } = await findJob(jobs, key);
  answerJson(response, logView(await jobs.log(queue, id, { limit, cursor: query.cursor })));
}
