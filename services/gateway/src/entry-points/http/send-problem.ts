import type { IncomingMessage, ServerResponse } from 'node:http';
import { endAfterLingering, hasUnreadBody } from './linger.ts';
import type { Problem } from './problem-of.ts';

/**
 * Answers with a problem document. Where the request's body was not read, the connection is closed afterwards: reading
 * the rest only to throw it away would let anybody keep the gateway busy.
 */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  { document, headers }: Problem,
): void {
  response.statusCode = document.status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/problem+json');
  response.setHeader('Cache-Control', 'no-store');
  const body = Buffer.from(JSON.stringify(document));
  if (hasUnreadBody(request)) {
    endAfterLingering(request, response, body);
    return;
  }
  response.setHeader('Content-Length', body.length);
  response.end(body);
}
