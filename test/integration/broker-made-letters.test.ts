import { BrokerSession } from '@warren/broker';
import { AmqpAdmin, anyJob, eventually, type Installation, install, Runs } from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('mail.probe');
/** As the kit declares its work queues. */
const DELIVERY_LIMIT = 1_000;

let here: Installation;
beforeAll(async () => {
  here = await install([job]);
  const session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
  await session.declare(here.topology);
  await session.close();
});
afterAll(() => here.dispose());

const names = () => here.topology.names;
const deadQueue = () => names().deadQueue(job.type);
const workQueue = () => names().workQueue(job.type);
const command = (...args: string[]) =>
  runCommand(['dead', ...args], {
    env: { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace, WARREN_HISTORY: 'false' },
    jobs: [job],
  });

const areDead = (count: number) =>
  eventually('it is dead', async () => (await here.admin.depth(deadQueue())) === count, 30_000);

/** A consumer that ends with the message in hand, again and again: that counts on every version. */
async function returnOverLimit(): Promise<void> {
  const crashing = await AmqpAdmin.connect(here.url);
  for (let times = 0; times <= DELIVERY_LIMIT; times += 1) {
    await crashing.run(async (channel) => {
      const taken = new Promise<void>((resolve, reject) => {
        const onMessage = (message: unknown) => (message ? resolve() : reject(new Error('gone')));
        channel.consume(workQueue(), onMessage).catch(reject);
      });
      await taken;
      await channel.close();
    });
  }
  await crashing.close();
}

/** One that throws away all but the newest, and gives what it throws away to the kit. */
async function overflow(queue: string): Promise<void> {
  await here.admin.run((channel) =>
    channel.assertQueue(queue, {
      durable: false,
      autoDelete: false,
      exclusive: true,
      maxLength: 1,
      deadLetterExchange: names().dead,
      deadLetterRoutingKey: workQueue(),
    }),
  );
  await here.admin.publish('', queue, '"maxlen"');
  await here.admin.publish('', queue, '"newer"');
}

it('what the broker gave up by itself is shown with the reason, and replayed, and runs', {
  timeout: 120_000,
}, async () => {
  const beganAtMs = Date.now();
  // No id, no type, no header of the kit's, as a plain client publishes.
  await here.admin.publish(names().jobs, job.type, '"delivery_limit"', { persistent: true });
  await returnOverLimit();
  await areDead(1);
  await here.admin.publish(names().jobs, job.type, '"expired"', { expiration: '1' });
  await areDead(2);
  await overflow(`${here.namespace}.foreign`);
  await areDead(3);

  const listed = JSON.parse((await command('list', job.type, '--json')).stdout) as {
    deadLetters: Record<string, unknown>[];
  };
  const reasons = ['delivery_limit', 'expired', 'maxlen'];
  expect(listed.deadLetters).toMatchObject(
    reasons.map((reason) => ({ reason, payload: reason, generation: 0, attempt: 1 })),
  );
  // The broker tells whole seconds.
  for (const { deadAtMs } of listed.deadLetters) {
    expect(deadAtMs).toBeGreaterThanOrEqual(beganAtMs - 1_000);
    expect(deadAtMs).toBeLessThanOrEqual(Date.now() + 1_000);
  }
  const shown = (await command('list', job.type)).stdout;
  for (const reason of reasons) expect(shown).toContain(reason);
  const grouped = JSON.parse((await command('groups', job.type, '--json')).stdout) as {
    groups: Record<string, unknown>[];
  };
  expect(grouped.groups.map(({ reason, count }) => [reason, count]).sort()).toEqual(
    reasons.map((reason) => [reason, 1]),
  );

  const runs = new Runs();
  await here.work([handle(job, (one) => runs.add(one))]);
  const replayed = await command('replay', job.type, '--json');
  expect(JSON.parse(replayed.stdout)).toMatchObject({
    replayed: 3,
    left: 0,
    targets: { [workQueue()]: 3 },
    stopped: null,
  });
  await runs.reach(3);
  expect([...runs.payloads].sort()).toEqual(reasons);
  for (const { job: ran } of runs.all) expect(ran).toMatchObject({ attempt: 1, generation: 1 });
  expect(new Set(runs.all.map(({ job: ran }) => ran.id)).size).toBe(3);
  await eventually('all is done', async () => (await here.admin.depth(workQueue())) === 0);
  expect(await here.admin.depth(deadQueue())).toBe(0);
});
