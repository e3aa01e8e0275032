import { eventually } from '@warren/testing';
import { queueMigration } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import {
  bury,
  here,
  idsOf,
  installBefore,
  installEach,
  job,
  lookAt,
  open,
  rejectOne,
  warren,
} from './support/migrating.ts';

const UNREADABLE = Buffer.from([0xff, 0x00, 0xfe, 0x7b]);

installEach();

/** `CC` of the odd one has put a copy into the work queue: it is no concern here. */
async function buryManyBehind(there: number, count: number): Promise<void> {
  const { names } = here.topology;
  await here.admin.take(names.workQueue(job.type));
  const queue = names.deadQueue(job.type);
  await here.admin.run(async (channel) => {
    for (let n = 0; n < count; n += 1) {
      const options = { messageId: `n-${n}`, persistent: true };
      channel.publish(names.dead, names.workQueue(job.type), Buffer.from(`${n}`), options);
    }
  });
  await eventually('all are dead', async () => {
    return (await here.admin.depth(queue)) === there + count;
  });
}

describe('the migration of a queue of dead letters', () => {
  it('keeps bytes, properties, headers of everybody and order, while others die', async () => {
    const { queue, holding } = await installBefore('probe.run.dead');
    const { names } = here.topology;
    await rejectOne('by-the-broker');
    await eventually('one is dead', async () => (await here.admin.depth(queue.name)) === 1);
    await bury(UNREADABLE, {
      messageId: 'odd',
      userId: 'guest',
      contentType: 'application/x-odd',
      contentEncoding: 'x-odd',
      correlationId: 'c',
      replyTo: 'nobody',
      expiration: '3600000',
      timestamp: 1_700_000_000,
      type: 'probe.run',
      appId: 'a',
      CC: [names.workQueue(job.type)],
      headers: {
        'x-dead-reason': 'schema',
        'x-error': 'attempt 1: Error: no',
        'x-warren-other': 1,
        nested: { list: [1, 'two', { three: true }], nothing: null },
        raw: UNREADABLE,
        at: { '!': 'timestamp', value: 1_700_000_000 },
        large: 'x'.repeat(60_000),
      },
    });
    await here.admin.publish('', queue.name, 'no properties at all');
    await buryManyBehind(3, 300);
    const before = await lookAt(queue.name);
    expect(before).toHaveLength(303);
    expect(before[0]?.headers['x-death']).toMatchObject([{ reason: 'rejected' }]);
    let isOver = false;
    const dying = (async () => {
      const ids: string[] = [];
      while (!isOver) {
        const messageId = `meanwhile-${ids.length}`;
        ids.push(messageId);
        if (ids.length % 10 === 0) await rejectOne(messageId);
        else await bury('1', { messageId });
      }
      return ids;
    })();

    const migrated = await warren('topology', 'migrate', 'probe.run.dead').finally(() => {
      isOver = true;
    });
    const meanwhile = await dying;
    expect(migrated).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${queue.name} is migrated: `),
    });
    const session = await open();
    expect(await session.migrationState(queueMigration(here.topology, queue.name))).toBe('current');
    expect(await here.admin.depth(holding.name)).toBeUndefined();
    await eventually('the broker has brought its own', async () => {
      const ids = new Set(idsOf(await lookAt(queue.name)));
      return meanwhile.every((id) => ids.has(id));
    });
    const after = await lookAt(queue.name);
    const old = after.filter(({ others }) => !String(others.messageId).startsWith('meanwhile'));
    expect(old).toEqual(before);
    const rejected = after.find(({ others }) => others.messageId === 'meanwhile-9');
    expect(rejected?.headers['x-death']).toMatchObject([{ reason: 'rejected', count: 1 }]);
    // Led astray for a moment, some would be among the unroutable; by CC, in the work queue.
    expect(await here.admin.depth(names.unroutable)).toBe(0);
    await eventually('none is run again', async () => {
      return (await here.admin.depth(names.workQueue(job.type))) === 0;
    });
    await bury('2', { messageId: 'after' });
    expect(idsOf(await lookAt(queue.name)).at(-1)).toBe('after');
    await expect(
      here.admin.run((channel) => channel.checkExchange(holding.name)),
    ).rejects.toMatchObject({ code: 404 });
  });

  it('takes the unroutable with the name of the queue that each was meant for', async () => {
    const { queue } = await installBefore('jobs.unroutable', {});
    const { names } = here.topology;
    const lost = `${here.namespace}.probe.lost`;
    await here.admin.publish(names.due, lost, '1', { messageId: 'lost' });
    await here.admin.publish(names.dead, lost, '2', { messageId: 'dead and lost' });
    const before = await lookAt(queue.name);
    expect(before.map(({ routingKey }) => routingKey)).toEqual([lost, lost]);
    expect(await warren('topology', 'migrate', 'jobs.unroutable')).toMatchObject({ code: 0 });
    expect(await lookAt(queue.name)).toEqual(before);
    await here.admin.publish(names.due, lost, '3', { messageId: 'lost too' });
    expect(await here.admin.depth(queue.name)).toBe(3);
  });

  it('says which cannot be copied, keeps those, and goes on once they are dealt with', async () => {
    const { queue } = await installBefore('probe.run.dead');
    const headers = JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>;
    await bury('1', { messageId: 'first' });
    await bury('2', { messageId: 'odd', headers });
    await bury('3', { messageId: 'last' });
    expect(await warren('topology', 'migrate', queue.name)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `1 message of ${queue.name} cannot be copied and stay in it, such as odd (header "headers"`,
      ),
    });
    expect(idsOf(await lookAt(queue.name))).toEqual(['odd']);
    const discarded = await warren(
      ...['dead', 'discard', job.type, '--id', 'odd', '--yes', '--reason', 'odd'],
    );
    expect(discarded).toMatchObject({ code: 0 });
    expect(await warren('topology', 'migrate', queue.name)).toMatchObject({ code: 0 });
    expect(idsOf(await lookAt(queue.name))).toEqual(['first', 'last']);
  });
});
