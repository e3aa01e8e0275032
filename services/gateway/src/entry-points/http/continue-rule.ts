import type { IncomingMessage } from 'node:http';
import { NDJSON } from './bulk-route.ts';

/** The largest bodies that are read as a whole. */
export interface BodyLimits {
  readonly bodyLimitBytes: number;
  readonly bulkLimitBytes: number;
}

/** Whether a client that asks first (`Expect: 100-continue`) should send its body. */
export function mayContinue(
  request: IncomingMessage,
  { bodyLimitBytes, bulkLimitBytes }: BodyLimits,
): boolean {
  const isBulk = request.url?.startsWith('/v1/jobs/bulk');
  if (isBulk && request.headers['content-type']?.startsWith(NDJSON)) return true;
  const limitBytes = isBulk ? bulkLimitBytes : bodyLimitBytes;
  return Number(request.headers['content-length'] ?? 0) <= limitBytes;
}
