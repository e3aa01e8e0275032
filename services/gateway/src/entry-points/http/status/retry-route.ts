import type { Request, Response } from 'express';
import type { RetryJob } from '../../../domain/retry-job.ts';
import { HttpError } from '../http-error.ts';
import type { Route } from '../route.ts';
import { whoAsks } from '../who.ts';
import { findJob, jobIdOf } from './find-job.ts';
import { JOB_ID, QUEUE } from './parameters.ts';
import { readQuery } from './query.ts';
import { CHANGE_ERRORS, needed, STORE_ERRORS, type StatusOptions } from './store-port.ts';

/** What the route needs to know. */
export interface RetryOptions extends StatusOptions {
  /** Absent where no history is kept. */
  readonly retry?: RetryJob | undefined;
}

/** `POST /v1/jobs/:id/retry`: runs a dead job again. */
export function retryRoute(options: RetryOptions): Route {
  return {
    method: 'post',
    path: '/v1/jobs/:id/retry',
    handle: (request, response) => postRetry(request, response, options),
    doc: {
      operationId: 'retryJob',
      tag: 'jobs',
      summary: 'Run a dead job again',
      description:
        'Moves its dead letter back to the queue that it failed in, as the next generation of the job, with all its attempts.',
      parameters: [JOB_ID, QUEUE],
      responses: {
        202: {
          description: 'It is queued again.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Retried' } } },
        },
      },
      errors: {
        400: ['BAD_REQUEST'],
        404: ['NOT_FOUND', 'QUEUE_MISSING'],
        409: ['JOB_STATE_CONFLICT', 'LOCK_HELD'],
        ...STORE_ERRORS,
        503: CHANGE_ERRORS,
      },
    },
  };
}

async function postRetry(
  request: Request,
  response: Response,
  { reader, retry }: RetryOptions,
): Promise<void> {
  const query = readQuery(request, ['queue']);
  const jobs = needed(reader);
  const replay = needed(retry);
  const job = await findJob(jobs, { id: jobIdOf(request.params['id']), queue: query.queue });
  if (job.state !== 'dead') throw conflict(`the job is ${job.state}: only a dead one is retried`);
  const done = await replay(job, whoAsks(request, response));
  if (done.kind === 'left') throw conflict(`the job cannot be retried: ${done.problem}`);
  const { id, queue } = job;
  const body = { id, queue, state: 'queued', generation: done.generation };
  response.set('Cache-Control', 'no-store').status(202).json(body);
}

function conflict(message: string): HttpError {
  return new HttpError(409, message, { code: 'JOB_STATE_CONFLICT' });
}
