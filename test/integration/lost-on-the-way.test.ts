import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { anyJob, type Installation, install, metricValue, Runs } from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, expect, it } from 'vitest';

const job = anyJob('probe.run');

/** Class and method of `basic.deliver`. */
const DELIVER = Buffer.of(0, 60, 0, 60);

/** A proxy before a broker that cuts a connection instead of passing a delivery on, the first `times` times. */
async function startCuttingProxy(target: URL, times: number) {
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const broker = connect(Number(target.port || 5672), target.hostname);
    const cut = () => [client, broker].map((one) => one.destroy());
    for (const socket of [client, broker]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', cut);
    }
    client.pipe(broker);
    broker.on('data', (data) => {
      const cutsNow = cuts < times && data.includes(DELIVER);
      if (!cutsNow) return void client.write(data);
      cuts += 1;
      cut();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `amqp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

let here: Installation;
beforeEach(async () => {
  here = await install([job]);
});
afterEach(() => here.dispose());

it('blames no job for deliveries that were lost before they arrived', async () => {
  const TIMES = 6;
  const runs = new Runs();
  const { id } = await (await here.connect()).publish(job, 1);
  const proxy = await startCuttingProxy(new URL(here.url), TIMES);
  try {
    await here.work([handle(job, (one) => runs.add(one))], { connection: { urls: [proxy.url] } });
    await runs.reach(1, 20_000);
    expect(proxy.cuts()).toBe(TIMES);
    const queue = here.topology.names.workQueue(job.type);
    expect(runs.all[0]?.job).toMatchObject({ id, attempt: 1, queue });
    expect(await metricValue(here.metrics, 'jobs_suspects_total', { queue })).toBe(0);
    expect(await here.admin.depth(here.topology.names.deadQueue(job.type))).toBe(0);
  } finally {
    proxy.stop();
  }
});
