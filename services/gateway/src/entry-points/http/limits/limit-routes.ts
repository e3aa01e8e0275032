import type { LimitReading } from '@warren/client';
import { checkLimitRate } from '@warren/contracts';
import type { LimitUse } from '@warren/store';
import type { Request, Response } from 'express';
import type { LimitDesk } from '../../../domain/limits/limit-desk.ts';
import { asFieldError } from '../http-error.ts';
import { readJsonBody } from '../json-body.ts';
import { QUEUE_CHANGE_ERRORS, QUEUE_READ_ERRORS } from '../queues/queue-parameters.ts';
import type { Described, Route } from '../route.ts';
import { BODY_ERRORS } from '../route-errors.ts';
import { answerJson } from '../status/answer-json.ts';
import { answers } from '../status/parameters.ts';
import { readQuery } from '../status/query.ts';
import { needed } from '../status/store-port.ts';
import { whoAsks } from '../who.ts';

/** What the routes of limits need to know. */
export interface LimitRoutesOptions {
  /** Absent without a store or a history. */
  readonly limits?: LimitDesk | undefined;
}

const MAX_BODY_BYTES = 1_024;
const CHANGE_ERRORS = { ...QUEUE_CHANGE_ERRORS, 404: ['LIMIT_MISSING'] } as const;
const NAME: Described = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'Of the limit; unless it has one, the job type.',
  schema: { type: 'string' },
};

/** `GET /v1/limits`, `PUT` and `DELETE /v1/limits/:name`. */
export function limitRoutes({ limits }: LimitRoutesOptions): Route[] {
  const path = '/v1/limits/:name';
  return [
    {
      method: 'get',
      path: '/v1/limits',
      handle: (request, response) => getLimits(request, response, limits),
      doc: {
        operationId: 'listLimits',
        tag: 'limits',
        summary: 'How often handlers may start, and what is used of that',
        description:
          'Those that job types define, that workers tell of, that operators have set, or that the store has counted for. A new worker shows within five seconds. The first question after a pause takes a second or so.',
        responses: answers('By name.', 'Limits'),
        errors: QUEUE_READ_ERRORS,
      },
    },
    {
      method: 'put',
      path,
      handle: (request, response) => putLimit(request, response, limits),
      doc: {
        operationId: 'setLimit',
        tag: 'limits',
        summary: 'Set how often handlers may start',
        description:
          'In all workers within moments, those too that start later; for all keys, also those with rates of their own. Jobs that wait in hand go at the new rate at once, those that were put off when they come back, within minutes.',
        parameters: [NAME],
        requestBody: {
          'application/json': {
            schema: { $ref: '#/components/schemas/LimitRate' },
            examples: { half: { value: { rate: 30, per: '1m' } } },
          },
        },
        responses: answers('It is so now.', 'LimitSet'),
        errors: { ...CHANGE_ERRORS, ...BODY_ERRORS },
      },
    },
    {
      method: 'delete',
      path,
      handle: (request, response) => deleteLimit(request, response, limits),
      doc: {
        operationId: 'resetLimit',
        tag: 'limits',
        summary: 'Have handlers start as often as code and environment say',
        parameters: [NAME],
        responses: answers('It is so now.', 'LimitSet'),
        errors: CHANGE_ERRORS,
      },
    },
  ];
}

async function getLimits(
  request: Request,
  response: Response,
  desk: LimitDesk | undefined,
): Promise<void> {
  readQuery(request, []);
  const limits = await needed(desk).limits();
  answerJson(response, { limits: limits.map(limitView) });
}

async function putLimit(
  request: Request,
  response: Response,
  desk: LimitDesk | undefined,
): Promise<void> {
  readQuery(request, []);
  const limits = needed(desk);
  const name = String(request.params['name']);
  const body = await readJsonBody(request, MAX_BODY_BYTES);
  try {
    const set = checkLimitRate(body);
    await limits.set(name, set, whoAsks(request, response));
    answerJson(response, { name, set });
  } catch (error) {
    throw asFieldError(error);
  }
}

async function deleteLimit(
  request: Request,
  response: Response,
  desk: LimitDesk | undefined,
): Promise<void> {
  readQuery(request, []);
  const name = String(request.params['name']);
  await needed(desk).set(name, undefined, whoAsks(request, response));
  answerJson(response, { name });
}

function limitView({ use, ...limit }: LimitReading<LimitUse>) {
  return { ...limit, ...(use && { use: { keys: use.keys, busiest: use.busiest } }) };
}
