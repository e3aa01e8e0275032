import { derivedJobId, newJobId } from '@warren/contracts';
import type { JobRequest } from '../../domain/accept-job.ts';
import type { JobEnvelope } from './envelope.ts';

/**
 * The request that an envelope stands for. Its id is chosen here, before anything is sent.
 * @param requestId correlation id of jobs that name none
 */
export function toJobRequest(envelope: JobEnvelope, requestId: string | undefined): JobRequest {
  const { idempotencyKey, runAt, correlationId = requestId, ...rest } = envelope;
  return {
    ...rest,
    id: rest.id ?? idOf(rest.type, idempotencyKey),
    ...(correlationId !== undefined && { correlationId }),
    ...(runAt !== undefined && { runAt: new Date(runAt) }),
  };
}

function idOf(type: string, idempotencyKey: string | undefined): string {
  return idempotencyKey === undefined ? newJobId() : derivedJobId(type, idempotencyKey);
}
