import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@warren/telemetry';

/** What is known of a request while it is served. */
export interface RequestNotes {
  /** The job that it is about, once that is known. */
  jobId?: string;
  /** The name of the key that it came with, where keys are set. */
  caller?: string;
}

/** Logs a request once it is answered, at debug level: method, path, status, duration, the name of the key. Never headers or bodies. */
export function logWhenAnswered(
  logger: Logger,
  { method }: IncomingMessage,
  response: ServerResponse,
  path: string,
  notes: RequestNotes,
): void {
  if (!logger.isLevelEnabled('debug')) return;
  const startedMs = performance.now();
  response.once('close', () => {
    logger.debug(
      {
        method,
        path: path.slice(0, 200),
        status: response.statusCode,
        duration_ms: Math.round((performance.now() - startedMs) * 10) / 10,
        job_id: notes.jobId,
        caller: notes.caller,
        finished: response.writableFinished,
      },
      'request',
    );
  });
}
