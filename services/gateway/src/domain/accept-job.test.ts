import { expect, it } from 'vitest';
import { acceptByPublishing, type Publisher } from './accept-job.ts';

it('publishes under the given id and deadline, and hands out what the client says', async () => {
  const calls: unknown[][] = [];
  const jobs: Publisher = {
    publishByType: async (...call) => {
      calls.push(call);
      return { id: 'from-the-client' };
    },
  };
  const accept = acceptByPublishing(jobs, 1_500);
  const request = { type: 't', payload: { a: 1 }, id: 'i', correlationId: 'c', headers: { h: 1 } };
  expect(await accept(request)).toEqual({ id: 'from-the-client' });
  const options = { id: 'i', correlationId: 'c', headers: { h: 1 }, timeoutMs: 1_500 };
  expect(calls).toEqual([['t', { a: 1 }, options]]);
});
