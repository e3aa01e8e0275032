import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { bodyChunks, ClientGoneError } from './body-chunks.ts';

const TIMES = { idleMs: 40, restMs: 20 };
const never = new AbortController().signal;
const silentRequest = () => new IncomingMessage(new Socket());

/** Everything that is left to read. */
async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk.toString();
  return text;
}

it('yields chunks as they come, until the body is complete', async () => {
  const request = silentRequest();
  const chunks = bodyChunks(request, never, { idleMs: 60_000, restMs: 1 });
  request.push('a');
  expect(String((await chunks.next()).value)).toBe('a');
  const rest = textOf(chunks);
  request.push('b');
  request.push(null);
  expect(await rest).toBe('b');
});

it('gives up a body of which nothing comes any more', async () => {
  const chunks = bodyChunks(silentRequest(), never, TIMES);
  await expect(chunks.next()).rejects.toMatchObject({ status: 408 });
});

it('ends with the client', async () => {
  const request = silentRequest();
  const chunks = bodyChunks(request, never, { idleMs: 60_000, restMs: 1 });
  const next = chunks.next();
  request.destroy();
  await expect(next).rejects.toThrow(ClientGoneError);
});

it('reads on for a while once the process is stopping', async () => {
  const stopping = new AbortController();
  const request = silentRequest();
  const chunks = bodyChunks(request, stopping.signal, { idleMs: 60_000, restMs: 20 });
  stopping.abort();
  request.push('late');
  expect(String((await chunks.next()).value)).toBe('late');
  await expect(chunks.next()).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
});

it('leaves the request open, and nothing behind, when it is left early', async () => {
  const request = silentRequest();
  const chunks = bodyChunks(request, never, TIMES);
  request.push('a');
  for await (const _chunk of chunks) break;
  expect(request.destroyed).toBe(false);
  expect(request.listenerCount('readable')).toBe(0);
});
