import { defineJob, type StandardSchemaV1 } from '@warren/contracts';
import { createNames } from '@warren/topology';
import { toJobMessage } from './outgoing-job.ts';

const schema: StandardSchemaV1<object, object> = {
  '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value: value as object }) },
};
const job = defineJob({ type: 'bench.job', schema });
const sender = { service: 'bench', names: createNames('bench') };
const payload = { to: 'someone@example.org', text: 'x'.repeat(900), order: 4711 };

/** One operation each; run by `npm run bench:micro`. */
export const micro: Readonly<Record<string, () => unknown>> = {
  'make the message of a job': () => toJobMessage(sender, job, payload, undefined),
  'make the message of a delayed job': () => toJobMessage(sender, job, payload, { delay: '10s' }),
};
