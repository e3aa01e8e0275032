import { newJobId } from '@warren/contracts';
import type { Request, Response } from 'express';
import type { AcceptEvent } from '../../domain/accept-event.ts';
import { answerAccepted } from './answer-accepted.ts';
import { parseEventEnvelope } from './envelope.ts';
import { readJsonBody } from './json-body.ts';
import { refuseStrayOptions, requestIdOf } from './request-rules.ts';
import type { Route } from './route.ts';
import { BODY_ERRORS, EMIT_ERRORS, ITEM_ERRORS, UNFORESEEN } from './route-errors.ts';

/** What the route needs to know. */
export interface EventsRouteOptions {
  readonly acceptEvent: AcceptEvent;
  readonly bodyLimitBytes: number;
}

/** `POST /v1/events`: takes one event over; answers 202 when the broker has it for every reader there is. */
export function eventsRoute(options: EventsRouteOptions): Route {
  return {
    method: 'post',
    path: '/v1/events',
    handle: (request, response) => postEvent(request, response, options),
    doc: {
      operationId: 'emitEvent',
      tag: 'events',
      summary: 'Report one event',
      description:
        'Answers 202 once the broker has stored the event for every reader there is; to have none is no error.',
      parameters: [{ $ref: '#/components/parameters/RequestId' }],
      requestBody: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Event' },
          'x-examples': 'events',
        },
      },
      responses: {
        202: {
          description: 'The broker has the event.',
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/AcceptedEvent' } },
          },
        },
      },
      errors: { ...BODY_ERRORS, ...ITEM_ERRORS, ...UNFORESEEN, ...EMIT_ERRORS },
    },
  };
}

async function postEvent(
  request: Request,
  response: Response,
  { acceptEvent, bodyLimitBytes }: EventsRouteOptions,
): Promise<void> {
  refuseStrayOptions(request);
  const envelope = parseEventEnvelope(await readJsonBody(request, bodyLimitBytes));
  const { type, id = newJobId(), correlationId = requestIdOf(request) } = envelope;
  response.locals['jobId'] = id;
  const accepted = await acceptEvent({
    ...envelope,
    id,
    ...(correlationId !== undefined && { correlationId }),
  });
  answerAccepted(response, { id: accepted.id, type });
}
