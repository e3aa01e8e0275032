import { BrokerUnavailableError, QueueMissingError } from '@warren/contracts';
import { expect, it, vi } from 'vitest';
import { whyLost } from './why-lost.ts';

const stop = { reason: 'channel_lost', message: 'the channel ended' } as const;
const queue = 'mail.dead';

function sessionOf(answers: (Error | number)[], lost?: Error) {
  const depth = vi.fn(async () => {
    const answer = answers.shift() ?? 0;
    if (typeof answer === 'number') return answer;
    throw answer;
  });
  return { lost: lost ? AbortSignal.abort(lost) : new AbortController().signal, depth };
}

it('names a queue that is gone, also some moments after its consumer was cancelled', async () => {
  const gone = { reason: 'queue_missing', message: expect.stringContaining(queue) as string };
  const missing = new QueueMissingError(queue);
  expect(await whyLost(stop, sessionOf([missing]), { queue })).toEqual(gone);
  const later = sessionOf([5, 5, missing]);
  expect(await whyLost(stop, later, { queue, isCancelled: true })).toEqual(gone);
  const deleted = `failed consuming from quorum queue '${queue}' in vhost '/': {shutdown,\n delete}`;
  const lost = sessionOf([], new BrokerUnavailableError(deleted));
  expect(await whyLost(stop, lost, { queue })).toEqual(gone);
});

it('asks once where nothing speaks of a deletion, and believes the end of the connection', async () => {
  const session = sessionOf([5]);
  expect(await whyLost(stop, session, { queue })).toBe(stop);
  expect(session.depth).toHaveBeenCalledOnce();
  const lost = sessionOf([], new BrokerUnavailableError('the broker restarts'));
  expect(await whyLost(stop, lost, { queue })).toMatchObject({ reason: 'connection_lost' });
});
