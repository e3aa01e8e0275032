import { expect, it } from 'vitest';
import { cancelByStream } from './cancel-job.ts';

it('keeps later requests out of a job before it is cancelled', async () => {
  const done: unknown[] = [];
  const jobs = { cancel: async (...asked: unknown[]) => void done.push(asked) };
  const cancel = cancelByStream(jobs, { endReplacing: async (id) => void done.push(id) });
  await cancel({ id: 'i', queue: 'a.b', generation: 2 });
  expect(done).toEqual(['i', ['i', { queue: 'a.b', generation: 2, by: 'gateway' }]]);
});
