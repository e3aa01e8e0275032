import type { Request, Response } from 'express';
import type { RequestNotes } from './access-log.ts';

/** Who asks, for the audit: the name of the key, where keys are set, and where the request comes from. */
export function whoAsks({ socket }: Request, { locals }: Response): string {
  const origin = `http ${socket.remoteAddress ?? 'unknown'}`;
  const { caller }: RequestNotes = locals;
  return caller === undefined ? origin : `${caller} (${origin})`;
}
