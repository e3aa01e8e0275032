import { expect, it } from 'vitest';
import { cancelByStream } from './cancel-job.ts';

it('is written down, and keeps later requests out of the job, before it is cancelled', async () => {
  const done: unknown[] = [];
  const jobs = { cancel: async (...asked: unknown[]) => void done.push(asked) };
  const cancel = cancelByStream(jobs, {
    outbox: { endReplacing: async (id) => void done.push(id) },
    writeDown: async (...written) => void done.push(written),
  });
  await cancel({ id: 'i', queue: 'a.b', generation: 2 }, 'ops (http ::1)');
  expect(done).toEqual([
    ['ops (http ::1)', 'job.cancel', { queue: 'a.b', id: 'i' }],
    'i',
    ['i', { queue: 'a.b', generation: 2, by: 'ops (http ::1)' }],
  ]);
});
