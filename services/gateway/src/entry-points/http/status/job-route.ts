import type { Request, Response } from 'express';
import { waitForEnd } from '../../../domain/live/wait-for-end.ts';
import type { LiveOptions } from '../live/live-options.ts';
import { timedUntilNow } from '../request-times.ts';
import type { Route } from '../route.ts';
import { answerJson } from './answer-json.ts';
import { findJob, jobIdOf } from './find-job.ts';
import { attemptView, jobView } from './job-view.ts';
import { answers, JOB_ID, QUEUE, queryParameter } from './parameters.ts';
import { readQuery } from './query.ts';
import { FOLLOW_ERRORS, needed, STORE_ERRORS } from './store-port.ts';
import { waitMsIn } from './wait-option.ts';

/** `GET /v1/jobs/:id`: where a job stands, with its attempts. */
export function jobRoute(options: LiveOptions): Route {
  return {
    method: 'get',
    path: '/v1/jobs/:id',
    handle: (request, response) => getJob(request, response, options),
    doc: {
      operationId: 'getJob',
      tag: 'jobs',
      summary: 'Where a job stands',
      description: 'Needs the store. A job that was accepted is found at once.',
      parameters: [
        JOB_ID,
        QUEUE,
        queryParameter('wait', 'Answers when the job has ended, or after this; at most 60s.', {
          type: 'string',
          pattern: '^\\d+(\\.\\d+)?(ms|s|m)$',
          examples: ['30s'],
        }),
      ],
      responses: answers('The job and its attempts.', 'JobStatus'),
      errors: { 400: ['BAD_REQUEST'], 404: ['NOT_FOUND'], ...STORE_ERRORS, 503: FOLLOW_ERRORS },
    },
  };
}

async function getJob(request: Request, response: Response, options: LiveOptions): Promise<void> {
  const query = readQuery(request, ['queue', 'wait']);
  const waitMs = waitMsIn(query.wait);
  const jobs = needed(options.reader);
  const read = () => findJob(jobs, { id: jobIdOf(request.params['id']), queue: query.queue });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([options.stopping, gone.signal]);
  const { hub } = options;
  const leave = waitMs === 0 ? undefined : hub?.seat();
  const onWaiting = () => timedUntilNow(response);
  const job = await (waitMs === 0
    ? read()
    : waitForEnd({ read, hub, waitMs, onWaiting, signal })
  ).finally(leave);
  if (gone.signal.aborted) return;
  const attempts = await jobs.attempts(job.queue, job.id);
  answerJson(response, { ...jobView(job), attempts: attempts.map(attemptView) });
}
