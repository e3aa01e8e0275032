import { derivedJobId, newJobId } from '@warren/contracts';
import type { JobRequest } from '../../domain/accept-job.ts';
import type { JobEnvelope } from './envelope.ts';

/**
 * The request that an envelope stands for. Its id is chosen here, before anything is sent.
 * @param requestId correlation id of jobs that name none
 */
export function toJobRequest(envelope: JobEnvelope, requestId: string | undefined): JobRequest {
  const { idempotencyKey, runAt, ...rest } = envelope;
  const id = rest.id ?? idOf(rest.type, idempotencyKey);
  // Assigned, not spread: thousands are made for one request.
  const request: { -readonly [Name in keyof JobRequest]: JobRequest[Name] } = Object.assign(rest, {
    id,
  });
  if (requestId !== undefined) request.correlationId ??= requestId;
  if (runAt !== undefined) request.runAt = new Date(runAt);
  return request;
}

function idOf(type: string, idempotencyKey: string | undefined): string {
  return idempotencyKey === undefined ? newJobId() : derivedJobId(type, idempotencyKey);
}
