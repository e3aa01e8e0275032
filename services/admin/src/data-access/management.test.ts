import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildTopology } from '@warren/topology';
import { afterEach, describe, expect, it } from 'vitest';
import { compareBindings } from '../domain/compare-bindings.ts';
import { createManagement } from './management.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const connection = { urls: ['amqp://u:p%40ss@127.0.0.1/my%2Fhost'] };
const binding = (queue: string, key: string, type = 'queue') => ({
  destination: queue,
  destination_type: type,
  routing_key: key,
  more: 'is ignored',
});

describe('the management API', () => {
  it('is asked with the credentials and the vhost of AMQP, or with its own', async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization}`);
      response.end(JSON.stringify([binding('a.b', 'a.b')]));
    });
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
    const path = '/api/exchanges/my%2Fhost/jobs/bindings/source';
    expect(await createManagement(url, connection).bindingsFrom('jobs')).toEqual([
      { destination: 'a.b', destinationType: 'queue', routingKey: 'a.b' },
    ]);
    const own = url.replace('http://', 'http://monitor:s%3Acret@');
    await createManagement(own, connection).bindingsFrom('jobs');
    expect(seen).toEqual([`${path} ${basic('u:p@ss')}`, `${path} ${basic('monitor:s:cret')}`]);
  });

  it.each([
    [404, '', []],
    [401, '', 'refused the user'],
    [500, '', 'answered 500'],
    [200, 'a page', 'no management API'],
  ])('answers %i %j', async (status, body, expected) => {
    const url = await serve((_, response) => response.writeHead(status).end(body));
    const answer = createManagement(url, connection).bindingsFrom('jobs');
    if (typeof expected === 'string') {
      await expect(answer).rejects.toMatchObject({
        setting: 'WARREN_MANAGEMENT_URL',
        message: expect.stringContaining(expected),
      });
    } else expect(await answer).toEqual(expected);
  });

  it('may be away', async () => {
    const url = await serve(() => {});
    server?.close();
    await expect(createManagement(url, connection).bindingsFrom('jobs')).rejects.toMatchObject({
      code: 'BROKER_UNAVAILABLE',
    });
  });
});

describe('compareBindings', () => {
  const topology = buildTopology({ jobTypes: ['a.b', 'c.d'] });
  const all = (exchange: string) =>
    topology.bindings
      .filter((one) => one.exchange === exchange)
      .map((one) => ({
        destination: one.queue,
        destinationType: 'queue',
        routingKey: one.routingKey,
      }));

  it('finds none where all is as it should be', async () => {
    const management = { bindingsFrom: async (exchange: string) => all(exchange) };
    expect(await compareBindings(topology, management)).toEqual([]);
  });

  it('finds what is missing anywhere, and what is foreign at the front door', async () => {
    const foreign = { destination: 'audit', destinationType: 'queue', routingKey: '#' };
    const bindingsFrom = async (exchange: string) => [
      ...all(exchange).filter(({ routingKey }) => routingKey !== 'c.d'),
      foreign,
    ];
    expect(await compareBindings(topology, { bindingsFrom })).toEqual([
      { kind: 'missing', exchange: 'jobs.dead', queue: 'c.d.dead', routingKey: 'c.d' },
      { kind: 'missing', exchange: 'jobs.due', queue: 'c.d', routingKey: 'c.d' },
      { kind: 'missing', exchange: 'jobs', queue: 'c.d', routingKey: 'c.d' },
      { kind: 'foreign', exchange: 'jobs', queue: 'audit', routingKey: '#' },
    ]);
  });
});
