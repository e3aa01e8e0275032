import type { ErrorRequestHandler, RequestHandler } from 'express';

/** The request names something wrong; answered 400 with this message. */
export class BadRequest extends Error {
  readonly status = 400;
}

export const noSuchPath: RequestHandler = (request, response) => {
  response
    .status(404)
    .json({ status: 404, detail: `nothing at ${request.method} ${request.path.slice(0, 200)}` });
};

/** Errors as JSON. Express tells error handlers by their four parameters. */
export const answerMailboxErrors: ErrorRequestHandler = (
  error: unknown,
  _request,
  response,
  next,
) => {
  if (response.headersSent) return next(error);
  const status = statusOf(error);
  const detail = status < 500 && error instanceof Error ? error.message : 'the mailbox failed';
  response.status(status).json({ status, detail });
};

function statusOf(error: unknown): number {
  const status = (error as { status?: unknown } | undefined)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}
