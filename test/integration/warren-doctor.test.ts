import type { PrivateNode } from '@warren/local-broker';
import { type AmqpAdmin, eventually } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { START_MS, topology, Upkeep } from './support/upkeep.ts';

const { names } = topology;

let here: Upkeep;
let node: PrivateNode;
let admin: AmqpAdmin;
beforeAll(async () => {
  here = await Upkeep.start();
  ({ node, admin } = here);
}, START_MS);
afterAll(() => here?.stop(), START_MS);

const warren: Upkeep['warren'] = (...told) => here.warren(...told);

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
