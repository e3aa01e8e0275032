import { anyJob, collect, type Installation, install, metricValue, Runs } from '@warren/testing';
import { handle } from '@warren/worker';
import type { Options } from 'amqplib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', {
  retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '250ms' } },
});
const other = anyJob('probe.other');

let here: Installation;
let runs: Runs;
beforeEach(async () => {
  runs = new Runs();
  here = await install([job, other]);
});
afterEach(() => here.dispose());

const deadQueue = () => here.topology.names.deadQueue(job.type);
const send = (options: Options.Publish, body = '{"n":1}') =>
  here.admin.publish(here.topology.names.jobs, job.type, body, options);
const failing = () =>
  handle(job, (one) => {
    runs.add(one);
    throw new Error('boom');
  });

describe('a message with no properties at all', () => {
  it('is a first attempt, gets an id once and keeps it', async () => {
    await here.work([failing()]);
    await send({});
    const [dead] = await collect(here.admin, deadQueue(), 1);
    const id = String(dead?.properties.messageId);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(runs.attemptsOf(id)).toEqual([1, 2]);
    expect(runs.count).toBe(2);
    expect(String(dead?.content)).toBe('{"n":1}');
    expect(dead?.properties.deliveryMode).toBe(2);
    // It ages from when it was first seen.
    expect(runs.all[1]?.job.publishedAtMs).toBe(runs.all[0]?.job.publishedAtMs);
  });
});

describe('properties that would do harm in another queue', () => {
  it('are not copied: expiration becomes a time, priority, CC and BCC end', async () => {
    const { names } = here.topology;
    const seenByOther = new Runs();
    await here.work([failing(), handle(other, (one) => seenByOther.add(one))]);
    const CC = [names.workQueue(other.type), names.deadQueue(other.type)];
    const sentAtMs = Date.now();
    await send({ messageId: 'm', expiration: '600000', priority: 9, CC, BCC: CC, userId: 'guest' });
    const [dead] = await collect(here.admin, deadQueue(), 1);
    expect(runs.attemptsOf('m')).toEqual([1, 2]);
    const { expiration, priority, userId, headers } = dead?.properties ?? {};
    expect([expiration, priority, userId]).toEqual([undefined, undefined, undefined]);
    expect(Object.keys(headers ?? {}).filter((name) => /^b?cc$/i.test(name))).toEqual([]);
    const expiresInMs = Number(headers?.['x-expires-at']) - sentAtMs;
    expect(expiresInMs).toBeGreaterThanOrEqual(599_000);
    expect(expiresInMs).toBeLessThan(640_000);
    expect(seenByOther.count).toBe(0);
    expect(await here.admin.depth(names.unroutable)).toBe(0);
  });

  it('an expiration that ends during a retry drops the job, counted', async () => {
    await here.work([failing(), handle(other, (one) => runs.add(one))]);
    const labels = { outcome: 'expired' };
    await send({ messageId: 'brief', expiration: '200' });
    await runs.reach(1);
    await send({ messageId: 'lasting' });
    const dead = await collect(here.admin, deadQueue(), 1);
    expect(dead.map(({ properties }) => properties.messageId)).toEqual(['lasting']);
    expect(runs.attemptsOf('brief')).toEqual([1]);
    expect(await metricValue(here.metrics, 'jobs_completed_total', labels)).toBe(1);
  });
});

describe('headers of the kit and of the broker, forged', () => {
  const own = (text: string) => JSON.parse(text) as Record<string, unknown>;
  const forged: Record<string, Record<string, unknown>> = {
    'attempt 0': { 'x-attempt': 0 },
    'attempt text': { 'x-attempt': 'x' },
    'attempt table': { 'x-attempt': { n: 1 } },
    'attempt fraction': { 'x-attempt': 1.5 },
    'prototype table': own('{"__proto__":{"x-attempt":2,"x-expires-at":1,"x-published-at":1}}'),
    'delivery count': { 'x-delivery-count': 99, 'x-acquired-count': 99 },
    'x-death': {
      'x-death': [{ count: '9', queue: 'q', reason: 'expired', exchange: 7 }],
      'x-first-death-queue': 'q',
      'x-last-death-reason': 'maxlen',
    },
    'x-death table': { 'x-death': { count: 9 } },
    'dead letter': { 'x-dead-reason': 'poison', 'x-origin': 'elsewhere', 'x-error': 'forged' },
    'odd kinds': { 'x-snoozes': -3, 'x-generation': 'y', 'x-expires-at': [1], 'x-error': 7 },
  };

  it('change nothing: exactly maxAttempts runs, then one dead letter each', async () => {
    await here.work([failing()]);
    const ids = Object.keys(forged);
    for (const messageId of ids) await send({ messageId, headers: forged[messageId] });
    const dead = await collect(here.admin, deadQueue(), ids.length);
    expect(dead.map(({ properties }) => properties.messageId).sort()).toEqual([...ids].sort());
    for (const id of ids)
      expect({ id, attempts: runs.attemptsOf(id) }).toEqual({ id, attempts: [1, 2] });
    for (const { properties } of dead) {
      expect(properties.headers).toMatchObject({
        'x-attempt': 2,
        'x-dead-reason': 'attempts_exhausted',
        'x-origin': here.topology.names.workQueue(job.type),
      });
      expect(Object.keys(properties.headers ?? {}).join()).not.toMatch(/death|acquired/);
      // The broker's own count, if it shows one at all.
      expect(properties.headers?.['x-delivery-count'] ?? 0).toBe(0);
      expect(properties.headers?.['x-error']).toMatch(/^attempt 2: [\s\S]*\nattempt 1: [^\n]*$/);
    }
    expect(await metricValue(here.metrics, 'jobs_suspects_total')).toBe(0);
    expect(await here.admin.depth(here.topology.names.unroutable)).toBe(0);
  });

  it('an attempt beyond the last ends the job after one run', async () => {
    await here.work([failing()]);
    await send({ messageId: 'far', headers: { 'x-attempt': 999 } });
    const [dead] = await collect(here.admin, deadQueue(), 1);
    expect(runs.of('far')).toHaveLength(1);
    expect(dead?.properties.headers?.['x-dead-reason']).toBe('attempts_exhausted');
  });
});

describe("a publisher's own headers", () => {
  it('reach every attempt and the dead letter, of any kind that AMQP has', async () => {
    await here.work([failing()]);
    const headers = {
      text: 'ü',
      big: 2 ** 40,
      half: 0.5,
      yes: true,
      nothing: null,
      list: [1, 'a', { deep: [true] }],
      table: { a: { b: 'c' } },
      bytes: Buffer.from([0, 255]),
    };
    await send({ messageId: 'm', headers });
    const [dead] = await collect(here.admin, deadQueue(), 1);
    expect(runs.all.map(({ job: seen }) => seen.headers)).toEqual([headers, headers]);
    expect(dead?.properties.headers).toMatchObject(headers);
  });

  it('that no client can encode again are left behind; the job goes its way', async () => {
    await here.work([failing()]);
    const odd: Record<string, Record<string, unknown>> = {
      // A table with the key `!`, which amqplib takes for a type of its own when it writes.
      typed: { odd: Object.create({ '!': 'nope' }) as unknown, plain: 'kept or not' },
      huge: { huge: 'x'.repeat(60_000) },
      many: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`h${n}`, n])),
    };
    for (const [messageId, headers] of Object.entries(odd)) await send({ messageId, headers });
    await send({ messageId: 'plain' });
    const dead = await collect(here.admin, deadQueue(), 4);
    expect(dead.map(({ properties }) => properties.messageId).sort()).toEqual(
      ['huge', 'many', 'plain', 'typed'].sort(),
    );
    for (const { content, properties } of dead) {
      expect(String(content)).toBe('{"n":1}');
      expect(properties.headers?.['x-dead-reason']).toBe('attempts_exhausted');
      expect(runs.attemptsOf(String(properties.messageId))).toEqual([1, 2]);
    }
  });
});
