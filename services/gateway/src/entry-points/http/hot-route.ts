import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, nameRequest } from '@warren/telemetry';
import { logWhenAnswered, type RequestNotes } from './access-log.ts';
import type { Guard } from './auth/guard.ts';
import { accessOf } from './auth/route-access.ts';
import { JOBS_PATH, type JobsRouteOptions, postJob } from './jobs-route.ts';
import { type RouteTimes, timedAs } from './request-times.ts';
import { type SecurityHeaders, setHeaders } from './security-headers.ts';
import type { Admit } from './while-stopping.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** What the hottest route shares with all others. */
export interface HotRouteOptions extends JobsRouteOptions {
  readonly logger: Logger;
  readonly admit: Admit;
  /** Absent where no keys are set. */
  readonly guard: Guard | undefined;
  readonly headers: SecurityHeaders;
  readonly times: RouteTimes;
  readonly onError: (
    error: unknown,
    request: IncomingMessage,
    response: ServerResponse,
    notes: RequestNotes,
  ) => void;
}

export const HOT_ROUTE = { method: 'post', path: JOBS_PATH } as const;

const ACCESS = accessOf(HOT_ROUTE);

/**
 * Serves `POST /v1/jobs` without express, whose steps take longer than all that the route itself does. Any other request, and
 * this one where it is spelt in another way, goes to `others`, which answers it alike.
 */
export function withHotRoute(options: HotRouteOptions, others: Handler): Handler {
  return (request, response) => {
    if (request.method !== 'POST' || request.url !== JOBS_PATH) others(request, response);
    else void serve(request, response, options);
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: HotRouteOptions,
): Promise<void> {
  const notes: RequestNotes = {};
  try {
    nameRequest('POST', JOBS_PATH);
    timedAs(response, options.times);
    logWhenAnswered(options.logger, request, response, JOBS_PATH, notes);
    options.admit(JOBS_PATH);
    options.guard?.(request, ACCESS, notes);
    await postJob(request, response, options, notes, options.headers);
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    setHeaders(response, options.headers);
    options.onError(error, request, response, notes);
  }
}
