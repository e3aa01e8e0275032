import type { HistoryEvent } from '@warren/history';
import type { Request, Response } from 'express';
import type { Route } from '../route.ts';
import { UNFORESEEN } from '../route-errors.ts';
import { queryParameter } from '../status/parameters.ts';
import { readQuery } from '../status/query.ts';
import { eventView } from './event-view.ts';
import { LAST_EVENT_ID, type LiveOptions, lastEventId, neededHub } from './live-options.ts';
import { SseWriter } from './sse-writer.ts';

/** `GET /v1/events-stream`: what happens to jobs, as it happens. */
export function eventStreamRoute(options: LiveOptions): Route {
  return {
    method: 'get',
    path: '/v1/events-stream',
    handle: (request, response) => getEventStream(request, response, options),
    doc: {
      operationId: 'followJobs',
      tag: 'jobs',
      summary: 'What happens to jobs, as it happens',
      description:
        'Server-sent events, each named by its kind. The last event of each place carries an id; after a lost connection some may come again. `gap` says that events are not told: they are gone, or were longer ago than 15 minutes when the client came back; `from` up to, not including, `to`, in ids. A client that does not keep up is cut off.',
      parameters: [
        queryParameter('type', 'Only of this job type or event.', { type: 'string' }),
        queryParameter('queue', 'Only in this queue: a job type or a subscriber.', {
          type: 'string',
        }),
        LAST_EVENT_ID,
      ],
      responses: EVENT_STREAM,
      errors: {
        400: ['BAD_REQUEST'],
        ...UNFORESEEN,
        501: ['STORE_MISSING'],
        503: ['FOLLOWERS_FULL', 'SHUTTING_DOWN'],
      },
    },
  };
}

/** 200 of a stream of events. */
export const EVENT_STREAM = {
  200: {
    description: 'Events until the client goes away or the gateway stops.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  },
};

async function getEventStream(
  request: Request,
  response: Response,
  options: LiveOptions,
): Promise<void> {
  const { type, queue } = readQuery(request, ['type', 'queue']);
  const after = lastEventId(request);
  const hub = neededHub(options);
  const fits = (event: HistoryEvent) =>
    (type === undefined || event.type === type) && (queue === undefined || event.queue === queue);
  const end = () => writer.end();
  const leave = hub.seat();
  const writer = new SseWriter(response, () => {
    leave();
    stop();
    options.stopping.removeEventListener('abort', end);
  });
  const stop = hub.follow({ fits, ...toWriter(writer) }, after);
  options.stopping.addEventListener('abort', end);
  await hub.reading(READING_MS);
  writer.send('open', { resumedAfter: after });
}

/** A reader that is being opened needs a moment; a broker that is away is not waited for. */
export const READING_MS = 3_000;

/** Sends events on; the last of a batch carries the id of its place. */
export function toWriter(writer: SseWriter) {
  return {
    onEvents: (events: readonly HistoryEvent[], offset: number) => {
      events.forEach((event, at) => {
        writer.send(event.kind, eventView(event), at === events.length - 1 ? offset : undefined);
      });
    },
    onGap: (from: number, to: number) => writer.send('gap', { from, to }),
  };
}
