import { HEADERS, newJobId } from '@warren/contracts';
import { fingerprintOf } from './fingerprint.ts';
import { replayCopy } from './replay-copy.ts';

const NOW_MS = 1_800_000_000_000;

const error = [
  'attempt 3: TypeError: Cannot read properties of undefined (reading 4711)',
  '    at greet (/app/services/mail/src/text.ts:12:7)',
  '    at Object.run (/app/services/mail/src/send.ts:40:3)',
  '    at node:internal/process/task_queues:95:5',
  'attempt 2: Error [ECONNREFUSED]: connect ECONNREFUSED 192.0.2.1:25',
].join('\n');
const plain = 'attempt 1: Error: no answer from 10.0.0.7 for someone@example.org within 10000 ms';
const id = newJobId();
const properties = {
  messageId: id,
  type: 'bench.job',
  contentType: 'application/json',
  headers: { [HEADERS.attempt]: 3, [HEADERS.error]: error, [HEADERS.origin]: 'bench.job' },
};
const body = Buffer.from('{}');
const fields = { redelivered: false };
const letter = { message: { content: body, fields, properties }, body } as unknown as Parameters<
  typeof replayCopy
>[0];
const received = {
  id,
  type: 'bench.job',
  generation: 0,
  attempt: 3,
} as Parameters<typeof replayCopy>[1];
const way = { exchange: 'jobs.due', queue: 'bench.job' };

/** One operation each; run by `npm run bench:micro`. */
export const micro: Readonly<Record<string, () => unknown>> = {
  'fingerprint a stack': () => fingerprintOf(error),
  'fingerprint a message without a stack': () => fingerprintOf(plain),
  'copy a letter for its replay': () => replayCopy(letter, received, way, NOW_MS),
};
