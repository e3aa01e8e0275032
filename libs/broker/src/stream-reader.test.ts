import { expect, it, vi } from 'vitest';
import { FakeConnection } from './fake-channel.fixture.ts';
import { StreamReader } from './stream-reader.ts';

function reading() {
  const broker = new FakeConnection();
  broker.refusals = [new Error('Channel ended, no reply will be forthcoming')];
  const onProblem = vi.fn();
  const options = { stream: 's', from: 'last' as const, onMessages: async () => {}, onProblem };
  const owner = { declared: Promise.resolve(), repair: async () => {}, onClosed: () => {} };
  const reader = new StreamReader(broker.asConnection, options, owner);
  reader.start();
  broker.comesUp();
  return { reader, onProblem };
}

it('tells that its channel could not be opened', async () => {
  const { reader, onProblem } = reading();
  await vi.waitFor(() => expect(onProblem).toHaveBeenCalledOnce());
  await reader.close();
});

it('tells nothing of a channel that was being opened when it was closed', async () => {
  const { reader, onProblem } = reading();
  await reader.close();
  await new Promise(setImmediate);
  expect(onProblem).not.toHaveBeenCalled();
  expect(reader.problem).toBe('closed');
});
