import type { ServerResponse } from 'node:http';

/** What is said of what was taken over. */
export interface AcceptedAnswer {
  readonly id: string;
  readonly type: string;
  readonly state?: string;
  readonly duplicate?: true;
  readonly replaced?: true;
}

/**
 * Answers 202. Written without express's helpers, and header by header: this is the gateway's hottest path,
 * and an object of them, made with a spread for each answer, was a tenth of what it allocated.
 * @param headers further ones
 */
export function answerAccepted(
  response: ServerResponse,
  accepted: AcceptedAnswer,
  location?: string,
  headers?: Readonly<Record<string, string>>,
): void {
  const body = JSON.stringify(accepted);
  response.statusCode = 202;
  for (const name in headers) response.setHeader(name, headers[name] as string);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (location !== undefined) response.setHeader('Location', location);
  response.setHeader('Cache-Control', 'no-store');
  response.end(body);
}
