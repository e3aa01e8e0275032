import type { Request, Response } from 'express';
import type { QueueDesk } from '../../../domain/queues/queue-desk.ts';
import type { Route } from '../route.ts';
import { answerJson } from '../status/answer-json.ts';
import { answers } from '../status/parameters.ts';
import { readQuery } from '../status/query.ts';
import { needed } from '../status/store-port.ts';
import { whoAsks } from '../who.ts';
import { QUEUE, QUEUE_CHANGE_ERRORS, QUEUE_READ_ERRORS } from './queue-parameters.ts';

/** What the routes of queues need to know. */
export interface QueueRoutesOptions {
  /** Absent without a store or a history. */
  readonly queues?: QueueDesk | undefined;
}

/** `GET /v1/queues`, `GET /v1/queues/:queue`, `POST /v1/queues/:queue/pause` and `/resume`. */
export function queueRoutes({ queues }: QueueRoutesOptions): Route[] {
  return [
    {
      method: 'get',
      path: '/v1/queues',
      handle: (request, response) => getQueues(request, response, queues),
      doc: {
        operationId: 'listQueues',
        tag: 'queues',
        summary: 'Where jobs wait, and who takes them',
        responses: answers('All queues; degraded where one is.', 'Queues'),
        errors: QUEUE_READ_ERRORS,
      },
    },
    {
      method: 'get',
      path: '/v1/queues/:queue',
      handle: (request, response) => getQueue(request, response, queues),
      doc: {
        operationId: 'getQueue',
        tag: 'queues',
        summary: 'Where the jobs of one queue are',
        parameters: [QUEUE],
        responses: answers('The queue.', 'Queue'),
        errors: { ...QUEUE_READ_ERRORS, 404: ['QUEUE_MISSING'] },
      },
    },
    switchRoute(queues, { word: 'pause', isPaused: true, summary: 'Have nobody take jobs' }),
    switchRoute(queues, { word: 'resume', isPaused: false, summary: 'Have jobs taken again' }),
  ];
}

function switchRoute(
  queues: QueueDesk | undefined,
  { word, isPaused, summary }: { word: string; isPaused: boolean; summary: string },
): Route {
  return {
    method: 'post',
    path: `/v1/queues/:queue/${word}`,
    handle: async (request, response) => {
      readQuery(request, []);
      const queue = String(request.params['queue']);
      await needed(queues).setPaused(queue, isPaused, whoAsks(request, response));
      answerJson(response, { queue, paused: isPaused });
    },
    doc: {
      operationId: `${word}Queue`,
      tag: 'queues',
      summary,
      description:
        'For all workers, those too that start later. Jobs are accepted meanwhile, and those that run end. No attempt is spent.',
      parameters: [QUEUE],
      responses: answers('It is so now.', 'QueuePaused'),
      errors: QUEUE_CHANGE_ERRORS,
    },
  };
}

async function getQueues(
  request: Request,
  response: Response,
  desk: QueueDesk | undefined,
): Promise<void> {
  readQuery(request, []);
  const queues = await needed(desk).reports();
  const isHealthy = queues.every(({ health }) => health === 'healthy');
  answerJson(response, { health: isHealthy ? 'healthy' : 'degraded', queues });
}

async function getQueue(
  request: Request,
  response: Response,
  desk: QueueDesk | undefined,
): Promise<void> {
  readQuery(request, []);
  answerJson(response, await needed(desk).report(String(request.params['queue'])));
}
