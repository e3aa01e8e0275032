import { serviceAccess } from '@warren/admin';
import { connectJobs } from '@warren/client';
import { NonRetryableError } from '@warren/contracts';
import type { PrivateNode } from '@warren/local-broker';
import { AmqpAdmin, anyJob, eventually, quietTelemetry } from '@warren/testing';
import { createWorker, handle } from '@warren/worker';
import amqplib, { type ConfirmChannel } from 'amqplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobs, START_MS, topology, Upkeep } from './support/upkeep.ts';

const { names } = topology;
const WORKERS = ['documents', 'email', 'payment', 'webhook'];
const SERVICES = ['gateway', 'tracker', ...WORKERS, 'operator'];

let here: Upkeep;
let node: PrivateNode;
let admin: AmqpAdmin;
beforeAll(async () => {
  here = await Upkeep.start();
  ({ node, admin } = here);
}, START_MS);
afterAll(() => here?.stop(), START_MS);

const warren: Upkeep['warren'] = (...told) => here.warren(...told);

describe('warren setup', () => {
  const passwords = new Map<string, string>();
  const urlOf = (service: string) => {
    const user = `warren-${service}`;
    return `amqp://${user}:${passwords.get(user) ?? ''}@127.0.0.1:${node.amqpPort}`;
  };

  beforeAll(async () => {
    const { code, stdout, stderr } = await warren(['setup', '--apply']);
    expect(stderr).toContain('are new');
    expect(code).toBe(0);
    for (const line of stdout.trim().split('\n')) {
      const [user = '', password = ''] = line.split(' ');
      passwords.set(user, password);
    }
  }, 60_000);

  it('may be repeated, and then leaves passwords', async () => {
    expect([...passwords.keys()]).toEqual(SERVICES.map((name) => `warren-${name}`));
    expect(await warren(['setup', '--apply'])).toMatchObject({ code: 0, stdout: '' });
  });

  it('lets each service do its work, and the operator declare and look', async () => {
    const [job = anyJob('email.send')] = jobs;
    const { logger, metrics } = quietTelemetry();
    const common = { logger, metrics, history: {} };
    const seen: number[] = [];
    const worker = createWorker({
      ...common,
      connection: { urls: [urlOf('email')] },
      service: 'email',
      handlers: [
        handle(job, ({ attempt, payload }) => {
          seen.push(attempt);
          if (payload === 'dies') throw new NonRetryableError('on purpose');
          if (attempt === 1) throw new Error('once more');
        }),
      ],
    });
    await worker.start();
    const gateway = await connectJobs({
      ...common,
      connection: { urls: [urlOf('gateway')] },
      service: 'gateway',
      jobs: [job],
    });
    try {
      await gateway.publish(job, 'works');
      await eventually('it ran, and ran again', () => seen.includes(2), 60_000);
      await gateway.publish(job, 'dies');
      const dead = names.deadQueue(job.type);
      await eventually('it is dead', async () => (await admin.depth(dead)) === 1, 60_000);
      expect(worker.readiness()).toMatchObject({ ready: true });
      expect(gateway.readiness()).toMatchObject({ ready: true });
    } finally {
      await gateway.close();
      await worker.stop();
    }
    const env = { AMQP_URL: urlOf('operator') };
    expect(await warren(['topology', 'apply'], env)).toMatchObject({ code: 0 });
    expect((await warren(['dead', 'list', job.type], env)).stdout).toContain('on purpose');
  }, 120_000);

  it('refuses what a service does not need', async () => {
    const tryAs = async (service: string, action: (as: AmqpAdmin) => Promise<unknown>) => {
      const as = await AmqpAdmin.connect(urlOf(service));
      const refused = await action(as).then(
        () => 'not refused',
        (error: Error) => error.message,
      );
      await as.close();
      return refused;
    };
    const takes = (queue: string) => (as: AmqpAdmin) => as.run((channel) => channel.get(queue));
    const work = names.workQueue('email.send');
    expect(await tryAs('email', takes(names.workQueue('document.fetch')))).toContain('403');
    expect(await tryAs('gateway', takes(work))).toContain('403');
    expect(await tryAs('tracker', takes(work))).toContain('403');
    const deletes = (as: AmqpAdmin) => as.run((channel) => channel.deleteQueue(work));
    for (const service of ['email', 'gateway', 'tracker']) {
      expect(await tryAs(service, deletes)).toContain('403');
    }
    expect(await tryAs('tracker', takes(names.deadQueue('email.send')))).toBe('not refused');
  }, 60_000);

  it('a user who may only write to queues can ask how long they are, and publish nothing', async () => {
    await node.ctl('add_user', 'looker', 'secret');
    await node.ctl('set_permissions', 'looker', '^$', '^(email|payment|webhook)\\.', '^$');
    const looker = await amqplib.connect(`amqp://looker:secret@127.0.0.1:${node.amqpPort}`);
    const work = names.workQueue('email.send');
    const asking = await looker.createChannel();
    expect(await asking.checkQueue(work)).toMatchObject({ queue: work });
    const refusals: string[] = [];
    for (const exchange of ['', names.jobs, names.due]) {
      const channel = await looker.createConfirmChannel();
      channel.on('error', ({ message }: Error) => void refusals.push(message));
      channel.publish(exchange, work, Buffer.from('1'));
      await channel.waitForConfirms().catch(() => {});
    }
    await eventually('all are refused', () => refusals.length === 3);
    for (const refusal of refusals) expect(refusal).toContain('403');
    await looker.close();
  }, 60_000);

  /** Whether the broker lets a user do each of these; what it refuses ends a channel, not the connection. */
  async function allowed(
    service: string,
    all: readonly string[],
    action: (channel: ConfirmChannel, name: string) => Promise<unknown>,
  ): Promise<string[]> {
    const connection = await amqplib.connect(urlOf(service));
    const isAllowed = async (name: string) => {
      const channel = await connection.createConfirmChannel();
      channel.on('error', () => {});
      const problem = await action(channel, name).then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (problem === undefined) await channel.close();
      else expect(problem).toMatch(/403|Channel closed|channel closed/);
      return problem === undefined;
    };
    // All together: each refusal takes a channel along, which takes the broker a while.
    const answers = await Promise.all(all.map(isAllowed));
    const permitted = all.filter((_, at) => answers[at]);
    await connection.close();
    return permitted;
  }

  it.each(SERVICES)(
    'lets %s do what it has declared to need, and nothing else',
    async (service) => {
      const access = serviceAccess(topology).find((one) => one.service === service)?.access;
      const foreign = 'foreign';
      await admin.run(async (channel) => {
        await channel.assertQueue(foreign);
        await channel.assertExchange(foreign, 'direct');
      });
      const queues = [...topology.queues.map(({ name }) => name), foreign];
      const exchanges = [...topology.exchanges.map(({ name }) => name), 'amq.default', foreign];
      const only = (names: readonly string[], granted: readonly string[] = []) =>
        names.filter((name) => granted.includes(name));
      const read = await allowed(service, queues, async (channel, name) => {
        await channel.prefetch(1);
        const { consumerTag } = await channel.consume(name, () => {});
        await channel.cancel(consumerTag);
      });
      expect(read).toEqual(only(queues, access?.read));
      // For no queue, and gone at once where it is kept for a retry.
      const write = await allowed(service, exchanges, async (channel, name) => {
        const exchange = name === 'amq.default' ? '' : name;
        channel.publish(exchange, 'nobody', Buffer.from('1'), { expiration: '1' });
        await channel.waitForConfirms();
      });
      expect(write).toEqual(only(exchanges, access?.write));
      const configure = await allowed(service, queues, (channel, name) => {
        const declared = topology.queues.find((queue) => queue.name === name);
        return channel.assertQueue(name, { arguments: declared?.arguments });
      });
      expect(configure).toEqual(only(queues, access?.configure));
      const deletes = await allowed(service, [foreign], (channel, name) =>
        channel.deleteQueue(name),
      );
      expect(deletes).toEqual([]);
    },
    60_000,
  );
});
