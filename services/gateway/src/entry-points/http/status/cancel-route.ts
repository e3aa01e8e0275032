import type { Request, Response } from 'express';
import type { CancelJob } from '../../../domain/cancel-job.ts';
import { HttpError } from '../http-error.ts';
import type { Route } from '../route.ts';
import { whoAsks } from '../who.ts';
import { findJob, hasEnded, jobIdOf } from './find-job.ts';
import { JOB_ID, QUEUE } from './parameters.ts';
import { readQuery } from './query.ts';
import { CHANGE_ERRORS, needed, STORE_ERRORS, type StatusOptions } from './store-port.ts';

/** What the route needs to know. */
export interface CancelOptions extends StatusOptions {
  /** Absent where no history is kept. */
  readonly cancel?: CancelJob | undefined;
}

/** `DELETE /v1/jobs/:id`: asks the workers to end a job. */
export function cancelRoute(options: CancelOptions): Route {
  return {
    method: 'delete',
    path: '/v1/jobs/:id',
    handle: (request, response) => deleteJob(request, response, options),
    doc: {
      operationId: 'cancelJob',
      tag: 'jobs',
      summary: 'Cancel a job',
      description:
        'One that waits is not run when its turn comes; a handler that runs sees its signal abort. Answers 202 once the request is stored; the job is `cancelled` when a worker has confirmed it, unless it ended first. One that waits for a retry stays `retrying` until that is due.',
      parameters: [JOB_ID, QUEUE],
      responses: {
        202: {
          description: 'The workers will know.',
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/CancelRequested' } },
          },
        },
      },
      errors: {
        400: ['BAD_REQUEST'],
        404: ['NOT_FOUND'],
        409: ['JOB_STATE_CONFLICT'],
        ...STORE_ERRORS,
        503: CHANGE_ERRORS,
      },
    },
  };
}

async function deleteJob(
  request: Request,
  response: Response,
  { reader, cancel }: CancelOptions,
): Promise<void> {
  const query = readQuery(request, ['queue']);
  const jobs = needed(reader);
  const ask = needed(cancel);
  const job = await findJob(jobs, { id: jobIdOf(request.params['id']), queue: query.queue });
  const { id, queue, state, generation } = job;
  if (hasEnded(job)) {
    throw new HttpError(409, `the job is ${state}: there is nothing to cancel`, {
      code: 'JOB_STATE_CONFLICT',
    });
  }
  await ask({ id, queue, generation }, whoAsks(request, response));
  response
    .set('Cache-Control', 'no-store')
    .status(202)
    .json({ id, queue, state, cancelling: true });
}
