import { DEAD_REASONS, MAX_ERROR_HEADER_BYTES } from '@warren/contracts';
import { anyJob, collect, type Installation, install, metricValue, Runs } from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', { retry: { maxAttempts: 1 }, maxPayloadBytes: 8 * 1024 * 1024 });

let here: Installation;
let runs: Runs;
beforeEach(async () => {
  runs = new Runs();
  here = await install([job]);
});
afterEach(() => here.dispose());

const deadQueue = () => here.topology.names.deadQueue(job.type);

describe('an unreadable body', () => {
  const bodies: Record<string, { body: Buffer; contentEncoding?: string }> = {
    'cut off': { body: Buffer.from('{"a":') },
    empty: { body: Buffer.alloc(0) },
    'not UTF-8': { body: Buffer.from([0xff]) },
    'said to be gzip': { body: Buffer.from('{"a":1}'), contentEncoding: 'gzip' },
    'a tower of brackets': { body: Buffer.alloc(5 * 1024 * 1024, '[') },
  };
  const ids = Object.keys(bodies);

  it('is delivered once and kept byte for byte; later jobs are fine', {
    timeout: 60_000,
  }, async () => {
    await here.work([handle(job, (one) => runs.add(one))]);
    const { names } = here.topology;
    for (const [messageId, { body, contentEncoding }] of Object.entries(bodies)) {
      await here.admin.publish(names.jobs, job.type, body, {
        messageId,
        contentType: 'application/x-anything',
        ...(contentEncoding !== undefined && { contentEncoding }),
      });
    }
    await here.admin.publish(names.jobs, job.type, '"good"', { messageId: 'good' });
    await runs.reach(1);
    expect(runs.payloads).toEqual(['good']);
    const dead = await collect(here.admin, deadQueue(), ids.length);
    expect(dead.map(({ properties }) => properties.messageId).sort()).toEqual([...ids].sort());
    for (const { content, properties } of dead) {
      const sent = bodies[String(properties.messageId)];
      expect(content.equals(sent?.body ?? Buffer.from('?'))).toBe(true);
      expect(properties.contentEncoding).toBe(sent?.contentEncoding);
      expect(properties.contentType).toBe('application/x-anything');
      expect(properties.headers).toMatchObject({
        'x-dead-reason': 'unreadable',
        'x-origin': names.workQueue(job.type),
      });
      expect(properties.headers?.['x-error']).toContain('MESSAGE_UNREADABLE');
    }
    const labels = { queue: names.workQueue(job.type) };
    expect(await metricValue(here.metrics, 'jobs_redelivered_total', labels)).toBe(0);
    const counted = { ...labels, reason: 'unreadable' };
    expect(await metricValue(here.metrics, 'jobs_dead_lettered_total', counted)).toBe(ids.length);
    expect(await here.admin.depth(names.workQueue(job.type))).toBe(0);
  });
});

describe('what an operator sees of a dead letter', () => {
  it('is a reason of a known list, an origin, and an error that can be read', async () => {
    const jobs = await here.connect();
    const handler = handle(job, () => {
      const cause = new Error('connect ECONNREFUSED 10.0.0.7:25');
      throw new TypeError(`mail server\nsaid ${'no '.repeat(5_000)}`, { cause });
    });
    await here.work([handler]);
    const { id } = await jobs.publish(job, { to: 'a secret address' }, { correlationId: 'c-1' });
    const [dead] = await collect(here.admin, deadQueue(), 1);
    const { headers, ...properties } = dead?.properties ?? {};
    expect(properties).toMatchObject({
      messageId: id,
      type: job.type,
      correlationId: 'c-1',
      appId: 'test',
      contentType: 'application/json',
      deliveryMode: 2,
    });
    expect(Object.keys(DEAD_REASONS)).toContain(headers?.['x-dead-reason']);
    expect(headers?.['x-origin']).toBe(here.topology.names.workQueue(job.type));
    const error = String(headers?.['x-error']);
    expect(error).toMatch(/^attempt 1: TypeError: mail server\n {4}said no no/);
    expect(error).toContain('caused by Error: connect ECONNREFUSED 10.0.0.7:25');
    expect(error).toContain('dead-letter.test.ts');
    expect(error).not.toContain('a secret address');
    expect(Buffer.byteLength(error)).toBeLessThanOrEqual(MAX_ERROR_HEADER_BYTES);
    const line = here.lines.find(({ msg }) => msg === 'job became a dead letter');
    expect(line).toMatchObject({ job_id: id, job_type: job.type, reason: 'attempts_exhausted' });
    expect(JSON.stringify(here.lines)).not.toContain('a secret address');
  });
});

describe('the way to the dead letters', () => {
  it.each(['queue', 'exchange'] as const)(
    'may be gone (%s): the job fails once and stays in sight',
    async (gone) => {
      const { names } = here.topology;
      const jobs = await here.connect();
      const handler = handle(job, (one) => {
        runs.add(one);
        throw new Error('boom');
      });
      await here.work([handler]);
      await here.admin.run(async (channel) => {
        if (gone === 'queue') await channel.deleteQueue(deadQueue());
        else await channel.deleteExchange(names.dead);
      });
      const { id } = await jobs.publish(job, 1);
      const seenIn = gone === 'queue' ? names.unroutable : deadQueue();
      const [dead] = await collect(here.admin, seenIn, 1);
      expect(dead?.properties.messageId).toBe(id);
      expect(dead?.properties.headers?.['x-dead-reason']).toBe('attempts_exhausted');
      expect(runs.attemptsOf(id)).toEqual([1]);
      expect(await here.admin.depth(names.workQueue(job.type))).toBe(0);
    },
  );
});
