import { anyJob, type Installation, install } from '@warren/testing';
import type { QueueSpec } from '@warren/topology';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('probe.run');

let here: Installation;
beforeEach(async () => {
  here = await install([job]);
});
afterEach(() => here.dispose());

const warren = (...args: string[]) =>
  runCommand(['topology', ...args], {
    env: { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace },
    jobs: [job],
  });

/** Has a queue of the installation with other arguments than it is declared with. */
async function declareOtherwise({ name, arguments: args }: QueueSpec, changes: object) {
  await here.admin.run((channel) => channel.deleteQueue(name));
  await here.admin.run((channel) =>
    channel.assertQueue(name, { arguments: { ...args, ...changes } }),
  );
}

describe('warren topology apply next to what is not as declared', () => {
  it.each([
    ['retry', { 'x-message-ttl': 12_345 }],
    ['dead', { 'x-delivery-limit': 77 }],
    ['unroutable', { 'x-delivery-limit': 77 }],
  ] as const)('restores all else, and says so: %s', async (role, changes) => {
    expect(await warren('apply')).toMatchObject({ code: 0 });
    const { queues, exchanges, names } = here.topology;
    const changed = queues.find((queue) => queue.role === role) as QueueSpec;
    await declareOtherwise(changed, changes);
    const gone = queues.filter(({ name }) => name !== changed.name);
    await here.admin.run(async (channel) => {
      for (const { name } of gone) await channel.deleteQueue(name);
      for (const { name } of exchanges) await channel.deleteExchange(name);
    });
    const { code, stderr } = await warren('apply');
    expect(code).toBe(1);
    expect(stderr).toContain(`warren: queue ${changed.name} (vhost`);
    for (const { name } of gone) {
      expect(stderr).toContain(`created queue ${name}\n`);
      expect(await here.admin.depth(name)).toBe(0);
    }
    await here.admin.publish(names.due, 'nobody', '1', { persistent: true });
    expect(await here.admin.depth(names.unroutable)).toBe(1);
  });

  it('restores all else where a queue belongs to another connection alone', async () => {
    const { names } = here.topology;
    const locked = names.deadQueue(job.type);
    await here.admin.run((channel) => channel.assertQueue(locked, { exclusive: true }));
    expect(await warren('apply')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(locked),
    });
    expect(await here.admin.depth(names.workQueue(job.type))).toBe(0);
    expect(await here.admin.depth(names.unroutable)).toBe(0);
  });
});
