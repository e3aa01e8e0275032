import { BrokerSession } from '@warren/broker';
import { inspect } from '@warren/dead-letter';
import { anyJob, type Installation, install } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run');

let here: Installation;
let session: BrokerSession;
beforeEach(async () => {
  here = await install([job]);
  session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
  await session.declare(here.topology);
});
afterEach(async () => {
  await session.close();
  await here.dispose();
});

const queue = () => here.topology.names.deadQueue(job.type);
const fill = async (count: number) => {
  for (let at = 1; at <= count; at += 1) {
    await here.admin.publish('', queue(), JSON.stringify(at), {
      messageId: `id-${at}`,
      persistent: true,
      headers: { 'x-dead-reason': 'non_retryable', 'x-attempt': 2, 'x-error': 'Error: x' },
    });
  }
};
const ids = (letters: readonly { id: string | undefined }[]) => letters.map(({ id }) => id);
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `id-${from + at}`);

describe('looking at dead letters', () => {
  it('shows them from the oldest, and takes and reorders none, however often', async () => {
    // The broker keeps small tables in their order, and others not.
    const count = 100;
    await fill(count);
    for (const limit of [1, 3, 70, 2, 5, 100, 40, 1_000, 1, 3]) {
      const { depth, letters } = await inspect({ session, queue: queue(), limit });
      expect(depth).toBe(count);
      expect(ids(letters)).toEqual(range(1, Math.min(limit, count)));
    }
    expect(await here.admin.depth(queue())).toBe(count);
    const kept = await here.admin.take(queue());
    expect(kept.map(({ properties }) => properties.messageId)).toEqual(range(1, count));
    expect(kept.map(({ content }) => content.toString())).toEqual(
      range(1, count).map((id) => id.slice(3)),
    );
    expect(kept[0]?.properties.headers).toMatchObject({ 'x-attempt': 2, 'x-error': 'Error: x' });
  });

  it('tells of each what its headers say', async () => {
    await fill(1);
    const { letters } = await inspect({ session, queue: queue(), limit: 10 });
    expect(letters[0]).toMatchObject({
      position: 1,
      id: 'id-1',
      reason: 'non_retryable',
      attempt: 2,
      error: 'Error: x',
      generation: 0,
      origin: undefined,
    });
    expect(letters[0]?.body.toString()).toBe('1');
  });

  it('stops when it holds too many bytes', async () => {
    await fill(5);
    const { depth, letters } = await inspect({ session, queue: queue(), limit: 5, maxBytes: 3 });
    expect(depth).toBe(5);
    expect(letters.length).toBe(3);
    expect(await here.admin.depth(queue())).toBe(5);
  });

  it('goes on page by page, also among those that are meant, and says where there is no more', async () => {
    await fill(10);
    const selection = { ids: ['id-2', 'id-5', 'id-9'] };
    const page = async (after: number, limit = 2, more: object = { selection }) => {
      const { letters, next } = await inspect({ session, queue: queue(), limit, after, ...more });
      return [...letters.map(({ position }) => position), `next ${next}`];
    };
    expect(await page(0)).toEqual([2, 5, 'next 5']);
    expect(await page(5)).toEqual([9, 'next undefined']);
    expect(await page(0, 9, { selection: { ids: ['none'] } })).toEqual(['next undefined']);
    expect(await page(0, 4, {})).toEqual([1, 2, 3, 4, 'next 4']);
    expect(await page(8, 2, {})).toEqual([9, 10, 'next undefined']);
    const kept = await here.admin.take(queue());
    expect(kept.map(({ properties }) => properties.messageId)).toEqual(range(1, 10));
  });

  it('sees none in an empty queue, and says when there is no queue', async () => {
    expect(await inspect({ session, queue: queue(), limit: 5 })).toEqual({
      depth: 0,
      letters: [],
      next: undefined,
    });
    await expect(inspect({ session, queue: `${queue()}x`, limit: 5 })).rejects.toMatchObject({
      code: 'QUEUE_MISSING',
    });
    // The session goes on.
    expect(await session.depth(queue())).toBe(0);
  });

  it('ends though somebody else holds what was counted, and gives back what it saw', async () => {
    await fill(4);
    const [first, second] = await Promise.all([
      inspect({ session, queue: queue(), limit: 3 }),
      inspect({ session, queue: queue(), limit: 4 }),
    ]);
    for (const { letters } of [first, second]) expect(letters.length).toBeLessThanOrEqual(4);
    expect(await here.admin.depth(queue())).toBe(4);
  });
});
