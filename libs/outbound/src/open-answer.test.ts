import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { publicAddresses } from './address-rule.ts';
import { ConnectTimeoutError, ForbiddenAddressError, guardedLookup, openAnswer } from './index.ts';

let server: Server;
const seen: { method: string | undefined; body: string; port: number | undefined }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, socket, url } = request;
  seen.push({ method, body: await text(request), port: socket.remotePort });
  response.writeHead(url === '/moved' ? 302 : 200, { location: '/elsewhere' }).end('ok');
}
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function ask(
  path: string,
  own: Partial<Parameters<typeof openAnswer>[1]> = {},
  host = '127.0.0.1',
): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const signal = new AbortController().signal;
  const options = { headers: {}, connectTimeoutMs: 5_000, signal, ...own };
  return openAnswer(new URL(`http://${host}:${port}${path}`), options);
}

it('asks with GET, posts where there is a body, and follows nothing', async () => {
  seen.length = 0;
  const answers = [await ask('/'), await ask('/moved', { body: 'x' })];
  for (const answer of answers) expect(await text(answer)).toBe('ok');
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 302]);
  expect(seen).toMatchObject([
    { method: 'GET', body: '' },
    { method: 'POST', body: 'x' },
  ]);
});

it('keeps a connection where an agent does', async () => {
  seen.length = 0;
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  for (const connectTimeoutMs of [5_000, 0]) {
    const kept = once(agent, 'free');
    // No time to connect: the second request needs none.
    await text(await ask('/', { agent, connectTimeoutMs }));
    await kept;
  }
  expect(seen[0]?.port).toBe(seen[1]?.port);
});

it('gives up on a connection that does not come about', async () => {
  await expect(
    ask('/', { connectTimeoutMs: 30, lookup: () => undefined }, 'never.test'),
  ).rejects.toThrow(new ConnectTimeoutError(30));
});

it('does not connect where the lookup forbids it', async () => {
  seen.length = 0;
  const lookup = guardedLookup(publicAddresses());
  await expect(ask('/', { lookup }, 'localhost')).rejects.toThrow(ForbiddenAddressError);
  expect(seen).toEqual([]);
});

it('stops when it is told', async () => {
  const stop = new AbortController();
  const asked = ask('/', { signal: stop.signal, lookup: () => stop.abort() }, 'never.test');
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});
