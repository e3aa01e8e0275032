import { Broker, type OutgoingMessage } from '@warren/broker';
import type { Jobs } from '@warren/client';
import { newJobId } from '@warren/contracts';
import { anyJob, endingOf, type Installation, install } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run');
const other = anyJob('probe.other');

let here: Installation;
beforeEach(async () => {
  here = await install([job, other]);
});
afterEach(() => here.dispose());

const workQueue = (type = job.type): string => here.topology.names.workQueue(type);
const idsIn = async (queue: string): Promise<string[]> =>
  (await here.admin.take(queue)).map(({ properties }) => String(properties.messageId));

/** A publisher below the client, for addresses that no job type has. */
async function withBroker(use: (broker: Broker) => Promise<void>): Promise<void> {
  const { topology, url } = here;
  const broker = new Broker({ connection: { urls: [url] }, service: 'test', topology });
  try {
    await use(broker);
  } finally {
    await broker.close();
  }
}

function messageTo(routingKey: string, exchange: string, id = newJobId()): OutgoingMessage {
  const properties = { messageId: id, persistent: true, mandatory: true } as const;
  return { exchange, routingKey, body: Buffer.from(routingKey), properties };
}

const WAVE = 50;

/** Publishes in waves, and makes the fault happen beside the fourth. */
async function publishUnder(
  jobs: Jobs,
  count: number,
  fault: () => Promise<unknown>,
  definition = job,
): Promise<{ ids: string[]; endings: string[] }> {
  const ids = Array.from({ length: count }, () => newJobId());
  const endings: string[] = [];
  let faulted: Promise<unknown> | undefined;
  for (let at = 0; at < count; at += WAVE) {
    const wave = ids
      .slice(at, at + WAVE)
      .map((id) => endingOf(jobs.publish(definition, at, { id })));
    if (at === 3 * WAVE) faulted = fault();
    endings.push(...(await Promise.all(wave)));
  }
  await faulted;
  return { ids, endings };
}

describe('a published job', () => {
  it('is the payload as JSON, with what is needed in properties and no header', async () => {
    const jobs = await here.connect();
    const payload = { text: 'grüße 漢 💡', deep: [{ n: 1.5 }, null], 'a key': true };
    const { id } = await jobs.publish(job, payload, { correlationId: 'order ü 7' });
    const [message] = await here.admin.take(workQueue());
    expect(JSON.parse(String(message?.content))).toEqual(payload);
    expect(message?.properties).toMatchObject({
      messageId: id,
      type: job.type,
      contentType: 'application/json',
      appId: 'test',
      correlationId: 'order ü 7',
      deliveryMode: 2,
      headers: {},
    });
    expect(message?.properties.timestamp).toBeGreaterThan(Date.now() / 1_000 - 60);
  });

  it('keeps the id that the caller gives, also when it is published twice at once', async () => {
    const jobs = await here.connect();
    const id = newJobId();
    const both = [jobs.publish(job, 1, { id }), jobs.publish(job, 2, { id })];
    expect(await Promise.all(both)).toEqual([{ id }, { id }]);
    expect(await idsIn(workQueue())).toEqual([id, id]);
  });

  it('is not seen by another installation on the same vhost', async () => {
    const there = await install([job, other]);
    try {
      const [mine, theirs] = await Promise.all([here.connect(), there.connect()]);
      const sent = await Promise.all([mine.publish(job, 'mine'), theirs.publish(job, 'theirs')]);
      expect(await idsIn(workQueue())).toEqual([sent[0].id]);
      const queue = there.topology.names.workQueue(job.type);
      const found = await there.admin.take(queue);
      expect(found.map(({ properties }) => properties.messageId)).toEqual([sent[1].id]);
    } finally {
      await there.dispose();
    }
  });
});

describe('a job that no queue takes', () => {
  it('is refused, and does not swap its outcome with a routable one', async () => {
    await withBroker(async ({ publisher }) => {
      const { jobs: exchange } = here.topology.names;
      const keys = Array.from({ length: 600 }, (_, n) => (n % 3 === 0 ? 'no.such' : job.type));
      const messages = keys.map((key) => messageTo(key, exchange));
      const endings = await Promise.all(
        messages.map((message) => endingOf(publisher.publish(message))),
      );
      expect(endings).toEqual(keys.map((key) => (key === job.type ? 'ok' : 'UNROUTABLE')));
      const accepted = messages.filter((_, n) => endings[n] === 'ok');
      const ids = accepted.map(({ properties }) => properties.messageId);
      expect((await idsIn(workQueue())).sort()).toEqual(ids.sort());
    });
  });

  it('is refused although the same id is accepted under another key at the same time', async () => {
    await withBroker(async ({ publisher }) => {
      const { jobs: exchange } = here.topology.names;
      for (let round = 0; round < 4; round += 1) {
        const id = newJobId();
        const endings = ['no.such', job.type, 'no.other', other.type].map((key) =>
          endingOf(publisher.publish(messageTo(key, exchange, id))),
        );
        expect(await Promise.all(endings)).toEqual(['UNROUTABLE', 'ok', 'UNROUTABLE', 'ok']);
      }
    });
  });

  it('is routed again by itself when its binding is gone', async () => {
    const jobs = await here.connect();
    await jobs.publish(job, 0);
    await here.admin.run((channel) =>
      channel.unbindQueue(workQueue(), here.topology.names.jobs, job.type),
    );
    const { id } = await jobs.publish(job, 1);
    expect((await idsIn(workQueue()))[1]).toBe(id);
  });

  it('is in a queue if it was accepted, while the binding goes under 500 publishes', async () => {
    const jobs = await here.connect();
    const { ids, endings } = await publishUnder(jobs, 500, () =>
      here.admin.run((channel) =>
        channel.unbindQueue(workQueue(), here.topology.names.jobs, job.type),
      ),
    );
    const found = new Set(await idsIn(workQueue()));
    const lost = ids.filter((id, n) => endings[n] === 'ok' && !found.has(id));
    expect(lost).toEqual([]);
    expect(endings.at(-1)).toBe('ok');
  });
});

describe('a queue that refuses because it is full', () => {
  it('fails the publishes that it refused, and sends no neighbour twice', async () => {
    await withBroker(async ({ publisher }) => {
      const { jobs: exchange, namespace } = here.topology.names;
      const full = `${namespace}.full`;
      await publisher.publish(messageTo(other.type, exchange));
      // It goes by itself where the test does not come to its end.
      const limits = {
        maxLength: 1,
        expires: 60_000,
        arguments: { 'x-overflow': 'reject-publish' },
      };
      await here.admin.run(async (channel) => {
        await channel.assertQueue(full, limits);
        await channel.bindQueue(full, exchange, 'full');
      });
      await publisher.publish(messageTo('full', exchange));
      const keys = Array.from({ length: 600 }, (_, n) => (n % 3 === 0 ? 'full' : job.type));
      const messages = keys.map((key) => messageTo(key, exchange));
      const endings = await Promise.all(
        messages.map((message) => endingOf(publisher.publish(message))),
      );
      expect(endings).toEqual(keys.map((key) => (key === job.type ? 'ok' : 'PUBLISH_REFUSED')));
      const accepted = messages.filter((_, n) => endings[n] === 'ok');
      const ids = accepted.map(({ properties }) => properties.messageId);
      expect((await idsIn(workQueue())).sort()).toEqual(ids.sort());
      await here.admin.run((channel) => channel.purgeQueue(full));
      await publisher.publish(messageTo('full', exchange));
      await here.admin.run((channel) => channel.deleteQueue(full));
    });
  });
});

describe('an exchange that is missing', () => {
  it('is declared again under load: nothing accepted is lost and all is accepted', async () => {
    const jobs = await here.connect();
    const neighbours = publishUnder(jobs, 500, async () => {}, other);
    const { ids, endings } = await publishUnder(jobs, 500, () =>
      here.admin.run((channel) => channel.deleteExchange(here.topology.names.jobs)),
    );
    expect(new Set([...endings, ...(await neighbours).endings])).toEqual(new Set(['ok']));
    const found = new Set([...(await idsIn(workQueue())), ...(await idsIn(workQueue(other.type)))]);
    const accepted = [...ids, ...(await neighbours).ids];
    expect(accepted.filter((id) => !found.has(id))).toEqual([]);
  });

  it('and cannot be declared fails its own publishes in bounded time, and no neighbour', async () => {
    await withBroker(async ({ publisher }) => {
      const { jobs: exchange, namespace } = here.topology.names;
      const good = Array.from({ length: 100 }, () => messageTo(job.type, exchange));
      const bad = Array.from({ length: 5 }, () => messageTo(job.type, `${namespace}.nowhere`));
      const sending = good.flatMap((message, n) => [
        publisher.publish(message),
        ...(n % 20 === 0 ? [endingOf(publisher.publish(bad[n / 20] as OutgoingMessage))] : []),
      ]);
      const answers = (await Promise.all(sending)).filter((answer) => typeof answer === 'string');
      expect(answers).toEqual(bad.map(() => 'UNROUTABLE'));
      await expect(publisher.publish(messageTo('k', `${namespace}.nowhere`))).rejects.toMatchObject(
        { message: expect.stringContaining(`${namespace}.nowhere`) },
      );
      await publisher.publish(messageTo(job.type, exchange));
      const found = new Set(await idsIn(workQueue()));
      expect(good.filter(({ properties }) => !found.has(properties.messageId))).toEqual([]);
    });
  });
});
