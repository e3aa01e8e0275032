import { anyJob, eventually, type Installation, install, metricValue } from '@warren/testing';
import type { QueueSpec } from '@warren/topology';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run');
const other = anyJob('probe.other');

let here: Installation;
beforeEach(async () => {
  here = await install([job, other]);
});
afterEach(() => here.dispose());

const spec = (name: string): QueueSpec =>
  here.topology.queues.find((queue) => queue.name === name) as QueueSpec;

/** Declares a queue of the installation beforehand, with some of its arguments changed. */
async function declareOtherwise(name: string, changes: Record<string, unknown>): Promise<void> {
  const args = { ...spec(name).arguments, ...changes };
  await here.admin.run((channel) => channel.assertQueue(name, { arguments: args }));
}

const problemLines = () => here.lines.filter(({ msg }) => String(msg).includes('topology'));

describe('a queue that exists with other arguments', () => {
  it('is told by name, with argument, both values and what to do, and stops nothing else', async () => {
    const { names } = here.topology;
    const changed = names.workQueue(job.type);
    await declareOtherwise(changed, { 'x-delivery-limit': 77 });
    await here.admin.publish('', changed, 'kept', { persistent: true });

    const handled: string[] = [];
    const run = (type: typeof job) => handle(type, ({ id }) => void handled.push(id));
    const jobs = await here.connect();
    const { id } = await jobs.publish(other, 1);
    const topology = await eventually('readiness says it', () => {
      const check = jobs.readiness().checks['topology'] ?? '';
      return check.includes(changed) ? check : undefined;
    });
    expect(jobs.readiness().ready).toBe(false);
    for (const told of [
      'x-delivery-limit',
      '77',
      '1000',
      'Nothing was changed',
      'topology migrate',
    ]) {
      expect(topology).toContain(told);
    }
    expect(await here.admin.depth(changed)).toBe(1);

    // A publish to the changed queue is still possible: it is a queue, and what it holds is not lost.
    await jobs.publish(job, 2);
    expect(await here.admin.depth(changed)).toBe(2);
    await expect(here.work([run(other)])).resolves.toBeDefined();
    await eventually('the other queue is served', () => handled.includes(id));
    expect(problemLines().length).toBeLessThanOrEqual(4);
    expect(await metricValue(here.metrics, 'jobs_broker_reconnects_total')).toBe(0);
    expect(here.lines.filter(({ msg }) => String(msg).includes('lost the connection'))).toEqual([]);
  });

  it('is listed with all others that are changed, whatever the kind of change', async () => {
    const { names } = here.topology;
    const retry = here.topology.queues.find(({ role }) => role === 'retry') as QueueSpec;
    await declareOtherwise(retry.name, { 'x-message-ttl': 12_345 });
    await declareOtherwise(names.workQueue(job.type), { 'x-dead-letter-exchange': 'elsewhere' });
    await declareOtherwise(names.suspectQueue(job.type), {
      'x-dead-letter-routing-key': undefined,
    });
    await here.admin.run((channel) => channel.assertQueue(names.deadQueue(job.type)));
    await here.admin.run((channel) => channel.assertExchange(names.due, 'fanout'));

    const jobs = await here.connect();
    const told = await eventually('readiness says it', () => {
      const check = jobs.readiness().checks['topology'] ?? '';
      return check.includes(retry.name) ? check : undefined;
    });
    const lines = told.split('\n');
    expect(lines).toHaveLength(5);
    const about = (name: string) => lines.find((line) => line.includes(` ${name} (vhost`)) ?? '';
    const ttl = String(retry.arguments['x-message-ttl']);
    expect(about(retry.name)).toMatch(new RegExp(`x-message-ttl is 12345 .*declares ${ttl}\\.`));
    expect(about(names.workQueue(job.type))).toMatch(/x-dead-letter-exchange is elsewhere /);
    expect(about(names.suspectQueue(job.type))).toMatch(/x-dead-letter-routing-key is none /);
    expect(about(names.deadQueue(job.type))).toMatch(
      /argument \S+ is \S+ at the broker.*declares quorum/,
    );
    expect(about(names.due)).toMatch(
      /^exchange .*argument type is fanout .*declares direct\..*Delete/,
    );
    // Everything else is there: the other job type has its queues and is routed to.
    await jobs.publish(other, 1);
    expect(await here.admin.depth(names.workQueue(other.type))).toBe(1);
    expect(await here.admin.depth(names.suspectQueue(other.type))).toBe(0);
  });

  it('is fine again once its owner has followed the advice', { timeout: 90_000 }, async () => {
    const changed = here.topology.names.workQueue(job.type);
    await declareOtherwise(changed, { 'x-delivery-limit': 77 });
    const jobs = await here.connect();
    await eventually('readiness says it', () =>
      jobs.readiness().checks['topology']?.includes(changed),
    );
    await here.admin.run((channel) => channel.deleteQueue(changed));
    // A publish that finds no queue makes the client declare again, without waiting for the next round.
    await jobs.publish(job, 1);
    expect(jobs.readiness()).toMatchObject({ ready: true, checks: { topology: 'ok' } });
    expect(await here.admin.depth(changed)).toBe(1);
  });
});

describe('a queue that is found changed while the process runs', () => {
  it('is declared again by itself, until it is as it should be', { timeout: 90_000 }, async () => {
    const { names } = here.topology;
    const [changed, missing] = [names.deadQueue(job.type), names.workQueue(other.type)];
    const jobs = await here.connect();
    await jobs.publish(other, 1);
    await here.admin.run((channel) => channel.deleteQueue(changed));
    await declareOtherwise(changed, { 'x-delivery-limit': 77 });
    // A publish that finds no queue makes the client declare again.
    await here.admin.run((channel) => channel.deleteQueue(missing));
    await jobs.publish(other, 2);
    expect(jobs.readiness().checks['topology']).toContain(changed);
    await here.admin.run((channel) => channel.deleteQueue(changed));
    await eventually('it is ready again', () => jobs.readiness().ready, 60_000);
    expect(await here.admin.depth(changed)).toBe(0);
  });
});

describe('declaring what is there already', () => {
  it('changes nothing and is quick to be ready, for many clients at once', async () => {
    await (await here.connect()).publish(job, 1);
    const clients = await Promise.all(Array.from({ length: 8 }, () => here.connect()));
    await Promise.all(clients.map((jobs) => jobs.publish(job, 2)));
    await eventually('all are ready', () => clients.every((jobs) => jobs.readiness().ready));
    expect(await here.admin.depth(here.topology.names.workQueue(job.type))).toBe(9);
    expect(problemLines()).toEqual([]);
  });
});
