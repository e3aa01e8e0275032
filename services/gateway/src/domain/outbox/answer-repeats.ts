import { QueueFullError } from '@warren/contracts';
import type { UniqueOutbox } from '@warren/store';
import type { AcceptJob, JobRequest } from '../accept-job.ts';
import { IdempotencyConflictError } from './acceptance-errors.ts';
import { inTime } from './in-time.ts';
import { payloadHash } from './payload-hash.ts';

/**
 * Accepts jobs, and answers the repeat of one that was accepted also while its queue is full: it asks for nothing new.
 * @param find the store's answer to a key that it knows; waited for `storeTimeoutMs`
 */
export function answerRepeats(
  accept: AcceptJob,
  find: UniqueOutbox['findKey'],
  storeTimeoutMs: number,
): AcceptJob {
  const keyed = async (request: JobRequest, key: string) => {
    try {
      return await accept(request);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      const { type, payload } = request;
      const asked = find({ key, payloadHash: payloadHash(type, payload) });
      const known = await inTime(asked, storeTimeoutMs);
      if (known === undefined) throw error;
      if (known.kind === 'conflict') throw new IdempotencyConflictError(known.id);
      return { id: known.id, duplicate: true } as const;
    }
  };
  return (request) =>
    request.idempotency === undefined ? accept(request) : keyed(request, request.idempotency);
}
