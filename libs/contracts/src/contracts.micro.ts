import { z } from 'zod';
import { decodePayload, encodePayload } from './codec.ts';
import { derivedJobId, newJobId, timeOfJobId } from './ids.ts';
import { defineJob } from './job-definition.ts';
import { validatePayload } from './validate.ts';

const job = defineJob({
  type: 'bench.job',
  schema: z.object({
    to: z.email(),
    subject: z.string(),
    text: z.string(),
    order: z.number().int(),
  }),
});
const payload = {
  to: 'someone@example.org',
  subject: 'Your order has been shipped',
  text: 'x'.repeat(900),
  order: 4711,
};
const body = encodePayload(job, payload);
const id = newJobId();

/** One operation each; run by `npm run bench:micro`. */
export const micro: Readonly<Record<string, () => unknown>> = {
  'encode a payload of 1 kB': () => encodePayload(job, payload),
  'decode a payload of 1 kB': () => decodePayload(body),
  'validate a payload': () => validatePayload(job, payload),
  'make an id': () => newJobId(),
  'derive an id from a key': () => derivedJobId('bench.job', 'order-4711'),
  'read the time in an id': () => timeOfJobId(id),
};
