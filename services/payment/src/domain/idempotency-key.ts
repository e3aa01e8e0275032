import { chargePayment } from '@warren/catalog';
import { derivedJobId } from '@warren/contracts';

const MAX_LENGTH = 255;

/** The key under which a job is charged, the same at each repeat: its id, or what follows from it where no header can hold that. */
export function idempotencyKey(jobId: string): string {
  const isPlain = jobId.length <= MAX_LENGTH && /^[\x21-\x7e]+$/.test(jobId);
  return isPlain ? jobId : derivedJobId(chargePayment.type, jobId);
}
