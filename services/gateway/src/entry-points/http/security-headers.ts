import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

export type SecurityHeaders = Readonly<Record<string, string>>;

/**
 * Helmet's headers but one: the gateway itself speaks plain HTTP, where upgrading each address would break `/docs`. They are
 * the same for every answer, so helmet is asked once: its thirteen steps for each request cost more than a job does.
 */
export function securityHeaders(): SecurityHeaders {
  const directives = { upgradeInsecureRequests: null };
  const request = new IncomingMessage(new Socket());
  const recorder = new Recorder(request);
  helmet({ contentSecurityPolicy: { directives } })(request, recorder, (error) => {
    if (error !== undefined) throw new Error('helmet does not answer', { cause: error });
  });
  return recorder.seen;
}

export function setHeaders(response: ServerResponse, headers: SecurityHeaders): void {
  for (const name in headers) response.setHeader(name, headers[name] as string);
}

/** Keeps the names as they are spelt. */
class Recorder extends ServerResponse {
  readonly seen: Record<string, string> = {};

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.seen[name] = String(value);
    return this;
  }
}
