import type { CircuitReading } from '@warren/client';
import type { Request, Response } from 'express';
import type { BreakerDesk } from '../../../domain/breakers/breaker-desk.ts';
import { asFieldError, badFields } from '../http-error.ts';
import { readJsonBody } from '../json-body.ts';
import { QUEUE_CHANGE_ERRORS, QUEUE_READ_ERRORS } from '../queues/queue-parameters.ts';
import type { Route } from '../route.ts';
import { BODY_ERRORS } from '../route-errors.ts';
import { answerJson } from '../status/answer-json.ts';
import { time } from '../status/job-view.ts';
import { answers } from '../status/parameters.ts';
import { readQuery } from '../status/query.ts';
import { needed } from '../status/store-port.ts';
import { whoAsks } from '../who.ts';

/** What the routes of circuit breakers need to know. */
export interface BreakerRoutesOptions {
  /** Absent without a store or a history. */
  readonly breakers?: BreakerDesk | undefined;
}

const MAX_BODY_BYTES = 1_024;
const STATES = { open: 'open', closed: 'closed', auto: undefined } as const;

/** `GET /v1/breakers` and `PUT /v1/breakers/:name`. */
export function breakerRoutes({ breakers }: BreakerRoutesOptions): Route[] {
  const { 404: _404, ...changeErrors } = QUEUE_CHANGE_ERRORS;
  return [
    {
      method: 'get',
      path: '/v1/breakers',
      handle: (request, response) => getBreakers(request, response, breakers),
      doc: {
        operationId: 'listBreakers',
        tag: 'breakers',
        summary: 'Where the circuits of all workers stand',
        description:
          'Each breaker as a whole, and of its keys those that are not closed. A change shows within a second, a new worker within five. The first question after a pause takes a second or so.',
        responses: answers('By name and key.', 'Breakers'),
        errors: QUEUE_READ_ERRORS,
      },
    },
    {
      method: 'put',
      path: '/v1/breakers/:name',
      handle: (request, response) => putBreaker(request, response, breakers),
      doc: {
        operationId: 'setBreaker',
        tag: 'breakers',
        summary: 'Hold a breaker open or closed, or let it go',
        description:
          'In all workers within moments, those too that start later. Let go from open, one call is tried first.',
        parameters: [
          {
            name: 'name',
            in: 'path',
            required: true,
            description: 'Of the breaker.',
            schema: { type: 'string' },
          },
        ],
        requestBody: {
          'application/json': {
            schema: { $ref: '#/components/schemas/BreakerState' },
            examples: { open: { value: { state: 'open' } } },
          },
        },
        responses: answers('It is so now.', 'BreakerSet'),
        errors: { ...changeErrors, ...BODY_ERRORS },
      },
    },
  ];
}

async function getBreakers(
  request: Request,
  response: Response,
  desk: BreakerDesk | undefined,
): Promise<void> {
  readQuery(request, []);
  const circuits = await needed(desk).circuits();
  answerJson(response, { breakers: circuits.map(circuitView) });
}

async function putBreaker(
  request: Request,
  response: Response,
  desk: BreakerDesk | undefined,
): Promise<void> {
  readQuery(request, []);
  const breakers = needed(desk);
  const name = String(request.params['name']);
  const override = stateIn(await readJsonBody(request, MAX_BODY_BYTES));
  try {
    await breakers.hold(name, override, whoAsks(request, response));
  } catch (error) {
    throw asFieldError(error);
  }
  answerJson(response, { name, override });
}

/** @throws HttpError 400 that names the field */
function stateIn(body: unknown): 'open' | 'closed' | undefined {
  const given = typeof body === 'object' && body !== null ? body : {};
  const unknown = Object.keys(given).find((name) => name !== 'state');
  if (unknown !== undefined) {
    throw badFields([{ field: unknown.slice(0, 100), message: 'unknown option (known: state)' }]);
  }
  const { state } = given as { readonly state?: unknown };
  const word = (['open', 'closed', 'auto'] as const).find((one) => one === state);
  if (word) return STATES[word];
  throw badFields([{ field: 'state', message: 'expected open, closed or auto' }]);
}

function circuitView(circuit: CircuitReading) {
  const { breaker, key, queues, state, override, sinceMs, trialAtMs, workers } = circuit;
  return {
    name: breaker,
    key,
    queues,
    state,
    override,
    since: time(sinceMs),
    nextTrial: time(trialAtMs),
    workers: workers.map(({ sinceMs: itsSinceMs, trialAtMs: itsTrialAtMs, ...one }) => ({
      ...one,
      since: time(itsSinceMs),
      nextTrial: time(itsTrialAtMs),
    })),
  };
}
