import { serviceAccess } from '@warren/admin';
import { connectJobs } from '@warren/client';
import { NonRetryableError } from '@warren/contracts';
import { type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { AmqpAdmin, anyJob, eventually, quietTelemetry } from '@warren/testing';
import { buildTopology } from '@warren/topology';
import { createWorker, handle } from '@warren/worker';
import amqplib, { type ConfirmChannel } from 'amqplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const START_MS = 120_000;
const jobs = ['email.send', 'document.fetch', 'payment.charge', 'webhook.deliver'].map((type) =>
  anyJob(type),
);
const topology = buildTopology({ jobTypes: jobs, history: {} });
const { names } = topology;
const WORKERS = ['documents', 'email', 'payment', 'webhook'];
const SERVICES = ['gateway', 'tracker', ...WORKERS, 'operator'];

let node: PrivateNode;
let admin: AmqpAdmin;
beforeAll(async () => {
  // Otherwise what the management API tells is seconds old, and queues tell of their policies half a minute late.
  const extraConfig = 'collect_statistics_interval = 500';
  node = await startPrivateNode({ plugins: ['rabbitmq_management'], extraConfig });
  await node.eval('application:set_env(rabbit, quorum_tick_interval, 500).');
  admin = await AmqpAdmin.connect(node.url);
  expect(await warren(['topology', 'apply'])).toMatchObject({ code: 0 });
}, START_MS);
afterAll(async () => {
  await admin?.close();
  await node?.stop();
}, START_MS);

const managementUrl = () => `http://127.0.0.1:${node.managementPort}`;

const warren = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(args, {
    env: { AMQP_URL: node.url, WARREN_MANAGEMENT_URL: managementUrl(), ...env },
    jobs,
  });

interface Finding {
  readonly check: string;
  readonly result: string;
  readonly finding: string;
  readonly advice?: string;
}

async function doctor(env: Readonly<Record<string, string>> = {}, ...args: readonly string[]) {
  const { code, stdout, stderr } = await warren(['doctor', '--json', ...args], env);
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  const of = (check: string) => findings.filter((finding) => finding.check === check);
  return { code, findings, of };
}

describe('warren doctor', () => {
  it('finds no problem in a new installation, and sees everything as an administrator', async () => {
    // Only later versions tell of deprecated features.
    const untold = node.version.startsWith('3.10') ? 'deprecated' : '';
    // A node tells of its plugins some seconds after its start.
    const { code, findings } = await eventually(
      'all is seen',
      async () => {
        const look = await doctor();
        const unseen = look.findings.filter(({ result }) => result === 'not checkable');
        return unseen.map(({ check }) => check).join() === untold ? look : undefined;
      },
      60_000,
    );
    expect(findings.filter(({ result }) => result === 'problem')).toEqual([]);
    expect(code).toBe(0);
  }, 120_000);

  it('finds what a production would not have', async () => {
    const { code, of } = await doctor({}, '--production');
    expect(code).toBe(1);
    expect(of('user')[0]).toMatchObject({
      result: 'problem',
      finding: expect.stringContaining('guest'),
    });
    expect(of('cluster')[0]?.finding).toContain('a single node');
    expect(of('disk limit')[0]).toMatchObject({ result: 'warning' });
    expect(of('tls')[0]).toMatchObject({ result: 'ok' });
  });

  it('finds a policy, a foreign reader, a missing queue and jobs that nobody takes', async () => {
    await node.ctl('set_policy', 'greedy', '^email', '{"max-length":10}', '--apply-to', 'queues');
    await admin.run(async (channel) => {
      await channel.assertQueue('spy', { arguments: { 'x-queue-type': 'quorum' } });
      await channel.bindQueue('spy', names.jobs, '#');
      await channel.deleteQueue(names.deadQueue('document.fetch'));
    });
    await admin.publish('', names.workQueue('document.fetch'), 'waits', { persistent: true });
    // What statistics tell, such as the policy, comes some seconds after it holds.
    const { code, of } = await eventually(
      'the policy shows',
      async () => {
        const look = await doctor();
        return look.of('policies')[0]?.result === 'problem' ? look : undefined;
      },
      60_000,
    );
    expect(code).toBe(1);
    expect(of('policies').map(({ finding }) => finding)).toContainEqual(
      expect.stringContaining('policy greedy sets max-length: 10 for email.send'),
    );
    expect(of('bindings').map(({ finding }) => finding)).toEqual(
      expect.arrayContaining([expect.stringContaining('spy is bound to jobs by "#"')]),
    );
    expect(of('topology')[0]?.finding).toBe('1 missing: document.fetch.dead');
    expect(of('consumers')[0]?.finding).toContain('document.fetch (1)');

    await node.ctl('clear_policy', 'greedy');
    await admin.run((channel) => channel.deleteQueue('spy'));
    expect(await warren(['topology', 'apply'])).toMatchObject({ code: 0 });
  }, 120_000);

  it('finds a message that cannot leave its queue, which no look at the queue shows', async () => {
    // Of a type that no other test works: what was stuck becomes a dead letter at any later time.
    const queue = names.workQueue('payment.charge');
    await admin.publish('', queue, 'refused', { persistent: true });
    await admin.run(async (channel) => {
      await channel.deleteExchange(names.unroutable);
      await channel.deleteQueue(names.deadQueue('payment.charge'));
      const message = await channel.get(queue);
      if (message) channel.nack(message, false, false);
    });
    expect(await admin.depth(queue)).toBe(0);
    const found = await eventually(
      'it is counted',
      async () => {
        const look = await warren(['topology', 'doctor', '--json']);
        return look.stdout.includes('messages cannot leave their queue') ? look : undefined;
      },
      90_000,
    );
    expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining('payment.charge (1)') });
    expect(await warren(['topology', 'apply'])).toMatchObject({ code: 0 });
    await admin.run((channel) => channel.purgeQueue(queue));
  }, 180_000);

  it('a tier with other arguments is declared anew by hand, once rabbitmqctl says that nothing is in it', async () => {
    const [tier, queue] = [names.retry({ name: '250ms' }), names.workQueue('email.send')];
    const declared = topology.queues.find(({ name }) => name === tier);
    await admin.run(async (channel) => {
      await channel.deleteQueue(tier);
      const before = { ...declared?.arguments, 'x-delivery-limit': 77 };
      await channel.assertQueue(tier, { arguments: before });
      await channel.bindQueue(tier, tier, '');
    });
    for (const body of ['1', '2']) {
      await admin.publish(tier, queue, body, { persistent: true, expiration: '250' });
    }
    const refused = await warren(['topology', 'migrate', tier]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('says 0 for it') });
    await eventually('it is empty', async () => {
      const listed = await node.ctl('-q', 'list_queues', '--no-table-headers', 'name', 'messages');
      return listed.split('\n').includes(`${tier}\t0`);
    });
    await admin.run((channel) => channel.deleteQueue(tier));
    expect(await warren(['topology', 'apply'])).toMatchObject({ code: 0 });
    expect(await warren(['topology', 'diff'])).toMatchObject({ code: 0 });
    expect(await admin.depth(queue)).toBe(2);
    await admin.run((channel) => channel.purgeQueue(queue));
  }, 60_000);

  it('sees less with less rights, and says so', async () => {
    await node.ctl('add_user', 'looker', 'secret');
    await node.ctl('set_permissions', 'looker', '^$', '^$', '.*');
    const env = { AMQP_USERNAME: 'looker', AMQP_PASSWORD: 'secret' };
    const withoutTag = await doctor(env);
    expect(withoutTag.of('policies')[0]).toMatchObject({ result: 'not checkable' });
    expect(withoutTag.of('consumers')[0]).toMatchObject({ result: 'problem' });
    await node.ctl('set_user_tags', 'looker', 'monitoring');
    const { of } = await eventually(
      'it compares queues by the API',
      async () => {
        const look = await doctor(env);
        return look.of('topology')[0]?.result === 'ok' ? look : undefined;
      },
      60_000,
    );
    expect(of('nodes')[0]?.result).not.toBe('not checkable');
    expect(of('permissions')[0]?.finding).toContain('looker may not see it');
  }, 120_000);

  it('needs no management API, and tells that the broker is away', async () => {
    const withoutApi = await warren(['doctor'], { WARREN_MANAGEMENT_URL: 'http://127.0.0.1:1' });
    expect(withoutApi.stdout).toContain('not checkable: management API: ');
    const away = await doctor({ AMQP_URL: 'amqp://127.0.0.1:1' });
    expect(away.code).toBe(3);
    expect(away.findings).toEqual([
      expect.objectContaining({ check: 'broker', result: 'problem' }),
    ]);
  });
});

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
