import { defineJob, type Upgrade } from '@warren/contracts';
import { anyJob, collect, type Installation, install, metricValue, Runs } from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const type = 'mail.send';
const retry = { maxAttempts: 2, backoff: { kind: 'fixed', delay: '250ms' } } as const;

const first = defineJob({ type, schema: z.strictObject({ name: z.string() }), retry });

const split: Upgrade = (payload) => {
  const [given, family] = (payload as { name: string }).name.split(' ');
  if (!family) throw new Error('one name is not enough');
  return { given, family };
};
const second = defineJob({
  type,
  schema: z.strictObject({ given: z.string(), family: z.string() }),
  retry,
  version: 2,
  upgrade: { 1: split },
});

const third = defineJob({
  type,
  schema: z.strictObject({ to: z.strictObject({ given: z.string(), family: z.string() }) }),
  retry,
  version: 3,
  upgrade: { 1: split, 2: (to) => ({ to }) },
});

let here: Installation;
let runs: Runs;
beforeEach(async () => {
  runs = new Runs();
  here = await install([first]);
});
afterEach(() => here.dispose());

const queue = () => here.topology.names.workQueue(type);

/** What was published; the broker adds its count. */
function published({ 'x-delivery-count': _, ...headers }: Record<string, unknown> = {}) {
  return headers;
}

describe('a payload of an older version', () => {
  it('that waits in the queue is brought up to date, from each version', async () => {
    const yesterday = await here.connect({ jobs: [first] });
    const thisMorning = await here.connect({ jobs: [second] });
    const now = await here.connect({ jobs: [third] });
    await yesterday.publish(first, { name: 'Ada Lovelace' });
    await thisMorning.publish(second, { given: 'Grace', family: 'Hopper' });
    await now.publish(third, { to: { given: 'Mary', family: 'Shelley' } });
    await here.work([handle(third, (job) => runs.add(job), { concurrency: 1 })]);
    await runs.reach(3);
    expect(runs.payloads).toEqual([
      { to: { given: 'Ada', family: 'Lovelace' } },
      { to: { given: 'Grace', family: 'Hopper' } },
      { to: { given: 'Mary', family: 'Shelley' } },
    ]);
  });

  it('says its version in a header, but for the first one', async () => {
    const [yesterday, now] = await Promise.all([
      here.connect({ jobs: [first] }),
      here.connect({ jobs: [third] }),
    ]);
    await yesterday.publish(first, { name: 'Ada Lovelace' });
    await now.publish(third, { to: { given: 'Mary', family: 'Shelley' } });
    const messages = await collect(here.admin, queue(), 2);
    expect(messages.map(({ properties }) => published(properties.headers))).toEqual([
      {},
      { 'x-payload-version': 3 },
    ]);
  });

  it('stays as it was published through retries, for whoever runs it then', async () => {
    const thisMorning = await here.connect({ jobs: [second] });
    const failing = handle(third, (job) => {
      runs.add(job);
      throw new Error('again');
    });
    await here.work([failing]);
    const { id } = await thisMorning.publish(second, { given: 'Grace', family: 'Hopper' });
    const [dead] = await collect(here.admin, here.topology.names.deadQueue(type), 1);
    const upgraded = { to: { given: 'Grace', family: 'Hopper' } };
    expect(runs.payloads).toEqual([upgraded, upgraded]);
    expect(runs.attemptsOf(id)).toEqual([1, 2]);
    expect(JSON.parse(String(dead?.content))).toEqual({ given: 'Grace', family: 'Hopper' });
    expect(dead?.properties.headers).toMatchObject({
      'x-payload-version': 2,
      'x-dead-reason': 'attempts_exhausted',
    });
  });

  it('becomes a dead letter at once where a step fails, or gives what does not fit', async () => {
    const yesterday = await here.connect({ jobs: [anyJob(type)] });
    await here.work([handle(third, (job) => runs.add(job))]);
    await yesterday.publish(anyJob(type), { name: 'Plato' });
    await yesterday.publish(anyJob(type), { name: 'Ada Lovelace' });
    await yesterday.publish(anyJob(type), null);
    const dead = await collect(here.admin, here.topology.names.deadQueue(type), 2);
    const told = dead.map(({ properties }) => [
      properties.headers?.['x-dead-reason'],
      String(properties.headers?.['x-error']).split('\n')[0],
    ]);
    expect(told).toHaveLength(2);
    for (const [reason, error] of told) {
      expect(reason).toBe('schema');
      expect(error).toContain('upgrade from version 1 failed');
    }
    await runs.reach(1);
    expect(runs.count).toBe(1);
  });

  it('is one of version 1 where its header says nothing that is a version', async () => {
    await here.work([handle(second, (job) => runs.add(job))]);
    const said = [0, -1, 1.5, 'two', true, null, 1];
    for (const [index, version] of said.entries()) {
      await here.admin.publish(here.topology.names.jobs, type, '{"name":"Ada Lovelace"}', {
        messageId: `foreign-${index}`,
        headers: { 'x-payload-version': version },
      });
    }
    await runs.reach(said.length);
    expect(runs.payloads).toEqual(said.map(() => ({ given: 'Ada', family: 'Lovelace' })));
  });
});

describe('a payload of a newer version', () => {
  const tier = () => here.topology.names.retry({ name: '30s' });

  /** Does at once what the broker does after 30 s. */
  async function endTheWait(): Promise<Record<string, unknown>> {
    const [message] = await collect(here.admin, tier(), 1);
    const { messageId, headers = {}, type: named, timestamp } = message?.properties ?? {};
    expect(message?.fields.routingKey).toBe(queue());
    await here.admin.publish(here.topology.names.due, queue(), message?.content ?? '', {
      messageId,
      headers: published(headers),
      type: named,
      timestamp,
      deliveryMode: 2,
    });
    return published(headers);
  }

  it('waits, nothing spent, until a newer worker comes', async () => {
    const strict = defineJob({
      type,
      schema: z.strictObject({ given: z.string(), family: z.string() }),
      version: 2,
      upgrade: { 1: split },
      // The handler's own snoozes are not its to spend.
      maxSnoozes: 0,
    });
    const old = await here.work([handle(strict, (job) => runs.add(job))]);
    const jobs = await here.connect({ jobs: [third] });
    const { id } = await jobs.publish(third, { to: { given: 'Mary', family: 'Shelley' } });
    for (let round = 0; round < 3; round += 1) {
      expect(await endTheWait()).toEqual({ 'x-payload-version': 3 });
    }
    expect(await metricValue(here.metrics, 'jobs_snoozed_total')).toBeGreaterThanOrEqual(3);
    const line = here.lines.find(({ msg }) => msg === 'job waits');
    expect(line).toMatchObject({ job_id: id, problem: expect.stringContaining('version 3') });
    await old.stop();
    await here.work([handle(third, (job) => runs.add(job))]);
    await endTheWait();
    await runs.reach(1);
    expect(runs.all[0]?.job).toMatchObject({
      id,
      attempt: 1,
      payload: { to: { given: 'Mary', family: 'Shelley' } },
    });
    expect(await here.admin.depth(here.topology.names.deadQueue(type))).toBe(0);
  });

  it('is given up once it is older than maxAge', async () => {
    const aged = defineJob({ type, schema: first.schema, maxAge: '1h' });
    await here.work([handle(aged, (job) => runs.add(job))]);
    await here.admin.publish(here.topology.names.jobs, type, '{}', {
      messageId: 'old',
      headers: { 'x-payload-version': 2, 'x-published-at': Date.now() - 3_601_000 },
    });
    const [dead] = await collect(here.admin, here.topology.names.deadQueue(type), 1);
    expect(dead?.properties.headers?.['x-dead-reason']).toBe('max_age');
  });
});
