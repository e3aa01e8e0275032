import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@warren/telemetry';
import { logWhenAnswered, type RequestNotes } from './access-log.ts';
import { HttpError } from './http-error.ts';

/** What every request meets before its route, whichever way it takes there. */
export type BeforeRoutes = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  notes: RequestNotes,
) => void;

/** @returns a function that throws HttpError for a request that is not to be served */
export function beforeRoutes(logger: Logger, stopping: AbortSignal): BeforeRoutes {
  return (request, response, path, notes) => {
    logWhenAnswered(logger, request, response, path, notes);
    if (stopping.aborted && path.startsWith('/v1/')) throw shuttingDown();
  };
}

function shuttingDown(): HttpError {
  return new HttpError(503, 'the gateway is shutting down; nothing was sent to the broker', {
    code: 'SHUTTING_DOWN',
    headers: { Connection: 'close' },
  });
}
