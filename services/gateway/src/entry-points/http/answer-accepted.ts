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
 * Answers 202. Written without express's helpers: this is the gateway's hottest path.
 * @param headers further ones
 */
export function answerAccepted(
  response: ServerResponse,
  accepted: AcceptedAnswer,
  location?: string,
  headers?: Readonly<Record<string, string>>,
): void {
  const body = JSON.stringify(accepted);
  response.writeHead(202, {
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    'Content-Type': 'application/json; charset=utf-8',
    ...(location !== undefined && { Location: location }),
    'Cache-Control': 'no-store',
  });
  response.end(body);
}
