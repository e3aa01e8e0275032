import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { BrokerSession } from '@warren/broker';
import { replay } from '@warren/dead-letter';
import { anyJob, eventually, type Installation, install, takeIds } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run');
const COUNT = 2_000;
const WINDOW = 50;

let here: Installation;
beforeEach(async () => {
  here = await install([job]);
});
afterEach(() => here.dispose());

/** A way to the broker that can be cut. */
async function cuttable(url: string) {
  const { hostname, port, username, password } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const broker = connect(Number(port || 5672), hostname);
    for (const socket of [client, broker]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => [client, broker].map((one) => one.destroy()));
    }
    client.pipe(broker).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `amqp://${username || 'guest'}:${password || 'guest'}@127.0.0.1:${own}`, cut };
}

async function replayOver(url: string) {
  const session = await BrokerSession.open({ connection: { urls: [url] }, service: 'test' });
  const { topology } = here;
  const { names } = topology;
  const source = { queue: names.deadQueue(job.type), workQueue: names.workQueue(job.type) };
  const running = replay({ session, topology, source, holder: 'test', window: WINDOW });
  return running.finally(() => session.close());
}

describe('a replay whose connection is lost', () => {
  it('ends and says so; nothing is lost, at most its window comes twice, another one goes on', async () => {
    const jobs = await here.connect();
    await eventually('the topology is there', () => jobs.readiness().ready);
    const { names } = here.topology;
    const ids = Array.from({ length: COUNT }, (_, at) => `id-${at}`);
    await here.admin.run(async (channel) => {
      const queue = names.deadQueue(job.type);
      for (const messageId of ids) channel.sendToQueue(queue, Buffer.from('1'), { messageId });
    });
    await eventually('all are dead', async () => {
      return (await here.admin.depth(names.deadQueue(job.type))) === COUNT;
    });
    const way = await cuttable(here.url);
    const running = replayOver(way.url);
    await eventually('some are replayed', async () => {
      return ((await here.admin.depth(names.workQueue(job.type))) ?? 0) >= 200;
    });
    way.cut();
    const first = await running;
    expect(first.stopped?.reason).toBe('connection_lost');
    expect(first.stopped?.message).not.toBe('');
    expect(first.replayed).toBeLessThan(COUNT);
    // The broker may still hold the first one's lock for a moment.
    const second = await eventually('the rest is replayed', () => replayOver(here.url));
    expect(second.stopped).toBeUndefined();
    const seen = await takeIds(here.url, names.workQueue(job.type));
    expect(new Set(seen).size).toBe(COUNT);
    expect(seen.length - COUNT).toBeLessThanOrEqual(WINDOW);
    expect(first.replayed + first.unknown + second.replayed).toBeGreaterThanOrEqual(COUNT);
    expect(await here.admin.depth(names.deadQueue(job.type))).toBe(0);
  });
});
