import type { Request } from 'express';

/** Who asks, for the audit: as much as is known of a caller over HTTP. */
export function whoAsks(request: Request): string {
  return `http ${request.socket.remoteAddress ?? 'unknown'}`;
}
