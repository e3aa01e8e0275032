import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KeptConnections, openAnswer } from './index.ts';

let server: Server;
let sockets: Socket[];
let requests: number;
beforeEach(async () => {
  sockets = [];
  requests = 0;
  server = createServer((_, response) => {
    requests += 1;
    response.end('ok');
  });
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Every name is that of the server. */
const lookup: LookupFunction = (_host, { all }, callback) =>
  callback(null, all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);

async function ask(kept: KeptConnections, host = 'a.test'): Promise<void> {
  const url = new URL(`http://${host}:${(server.address() as AddressInfo).port}/`);
  const signal = new AbortController().signal;
  const agent = kept.agentFor(url);
  const common = { headers: {}, connectTimeoutMs: 5_000, agent, signal, lookup };
  const freed = once(common.agent, 'free');
  expect(await text(await openAnswer(url, { ...common, body: '{}' }))).toBe('ok');
  await freed;
}

it('keeps a connection for the next request, and ends it when it is closed', async () => {
  const kept = new KeptConnections({ maxIdle: 2, idleMs: 60_000 });
  await ask(kept);
  await ask(kept);
  expect([sockets.length, kept.idle]).toEqual([1, 1]);
  kept.close();
  await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true));
});

it('keeps no more than it may, of however many hosts', async () => {
  const kept = new KeptConnections({ maxIdle: 2, idleMs: 60_000 });
  for (const name of ['a', 'b', 'c', 'd', 'e']) await ask(kept, `${name}.test`);
  await vi.waitFor(() => expect(kept.idle).toBe(2));
  await vi.waitFor(() =>
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, true, true, true]),
  );
  kept.close();
});

it('asks again over a connection of its own where the kept one is gone', async () => {
  const kept = new KeptConnections({ maxIdle: 2, idleMs: 60_000 });
  await ask(kept);
  // Closed by the server at the moment at which the next request comes.
  sockets[0]?.once('data', () => sockets[0]?.resetAndDestroy());
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (request.socket === sockets[0]) return;
    requests += 1;
    response.end('ok');
  });
  const url = new URL(`http://a.test:${(server.address() as AddressInfo).port}/`);
  const signal = new AbortController().signal;
  const agent = kept.agentFor(url);
  const options = { headers: {}, connectTimeoutMs: 5_000, agent, signal, lookup };
  expect(await text(await openAnswer(url, { ...options, body: '{}' }))).toBe('ok');
  expect([sockets.length, requests]).toEqual([2, 2]);
  kept.close();
});
