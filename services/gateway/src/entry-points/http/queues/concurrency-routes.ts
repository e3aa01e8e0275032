import { checkQueueCounts } from '@warren/contracts';
import type { Request, Response } from 'express';
import type { QueueDesk } from '../../../domain/queues/queue-desk.ts';
import { asFieldError } from '../http-error.ts';
import { readJsonBody } from '../json-body.ts';
import type { Route } from '../route.ts';
import { BODY_ERRORS } from '../route-errors.ts';
import { answerJson } from '../status/answer-json.ts';
import { answers } from '../status/parameters.ts';
import { readQuery } from '../status/query.ts';
import { needed } from '../status/store-port.ts';
import { whoAsks } from '../who.ts';
import { QUEUE, QUEUE_CHANGE_ERRORS } from './queue-parameters.ts';
import type { QueueRoutesOptions } from './queue-routes.ts';

const MAX_BODY_BYTES = 1_024;

/** `PUT` and `DELETE /v1/queues/:queue/concurrency`: how many of a queue run at once. */
export function concurrencyRoutes({ queues }: QueueRoutesOptions): Route[] {
  const path = '/v1/queues/:queue/concurrency';
  return [
    {
      method: 'put',
      path,
      handle: (request, response) => putConcurrency(request, response, queues),
      doc: {
        operationId: 'setConcurrency',
        tag: 'queues',
        summary: 'Set how many jobs of a queue run at once',
        description:
          'For each worker process, in place of what code and environment say, within moments and for those too that start later. More start at once; where there are too many, those that run end as they would. No attempt is spent.',
        parameters: [QUEUE],
        requestBody: {
          'application/json': {
            schema: { $ref: '#/components/schemas/QueueCounts' },
            examples: { one: { value: { concurrency: 4 } } },
          },
        },
        responses: answers('It is so now.', 'QueueSet'),
        errors: {
          ...QUEUE_CHANGE_ERRORS,
          ...BODY_ERRORS,
        },
      },
    },
    {
      method: 'delete',
      path,
      handle: (request, response) => deleteConcurrency(request, response, queues),
      doc: {
        operationId: 'resetConcurrency',
        tag: 'queues',
        summary: 'Have jobs of a queue run as code and environment say',
        parameters: [QUEUE],
        responses: answers('It is so now.', 'QueueSet'),
        errors: QUEUE_CHANGE_ERRORS,
      },
    },
  ];
}

async function putConcurrency(
  request: Request,
  response: Response,
  desk: QueueDesk | undefined,
): Promise<void> {
  readQuery(request, []);
  const queues = needed(desk);
  const queue = String(request.params['queue']);
  const body = await readJsonBody(request, MAX_BODY_BYTES);
  try {
    const counts = checkQueueCounts(body);
    await queues.setCounts(queue, counts, whoAsks(request, response));
    answerJson(response, { queue, set: counts });
  } catch (error) {
    throw asFieldError(error);
  }
}

async function deleteConcurrency(
  request: Request,
  response: Response,
  desk: QueueDesk | undefined,
): Promise<void> {
  readQuery(request, []);
  const queue = String(request.params['queue']);
  await needed(desk).setCounts(queue, undefined, whoAsks(request, response));
  answerJson(response, { queue });
}
