import type { Request } from 'express';
import type { HistoryHub } from '../../../domain/live/history-hub.ts';
import { badFields, HttpError } from '../http-error.ts';
import type { StatusOptions } from '../status/store-port.ts';

/** What the routes that tell of jobs as it happens need to know. */
export interface LiveOptions extends StatusOptions {
  /** Absent where no history is kept. */
  readonly hub?: HistoryHub | undefined;
  /** Aborted once the process is stopping. */
  readonly stopping: AbortSignal;
}

export const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'Goes on after this event, at most 15 minutes back; `gap` tells of what is left out.',
  schema: { type: 'string' },
};

/**
 * After which offset a client wants to go on.
 * @throws HttpError 400 when it is none
 */
export function lastEventId(request: Request): number | undefined {
  const text = request.headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  throw badFields([{ field: 'last-event-id', message: 'expected the id of an event of here' }]);
}

/** @throws HttpError 501 where no history is kept */
export function neededHub({ hub }: LiveOptions): HistoryHub {
  if (hub) return hub;
  throw new HttpError(501, 'no history is kept here: WARREN_HISTORY is off', {
    code: 'STORE_MISSING',
  });
}
