import { HttpError } from './http-error.ts';

/** Asked by every route, once it is known which one a request is for. @throws HttpError 503 once the process is stopping */
export type Admit = (path: string) => void;

/** Admits all until the process is stopping, and from then on what shows how it is: probes and metrics. */
export function admitUntil(stopping: AbortSignal): Admit {
  return (path) => {
    if (stopping.aborted && path.startsWith('/v1/')) throw shuttingDown();
  };
}

function shuttingDown(): HttpError {
  return new HttpError(503, 'the gateway is shutting down; nothing was sent to the broker', {
    code: 'SHUTTING_DOWN',
    headers: { Connection: 'close' },
  });
}
