import { BrokerSession } from '@warren/broker';
import { planReplay, type ReplayOptions, replay } from '@warren/dead-letter';
import { anyJob, collect, eventually, type Installation, install, Runs } from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', { retry: { maxAttempts: 1 } });
const patient = anyJob('probe.patient', {
  retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '250ms' } },
});
const DAY_MS = 86_400_000;

let here: Installation;
let sessions: BrokerSession[];
beforeEach(async () => {
  sessions = [];
  here = await install([job, patient]);
  const session = await open();
  await session.declare(here.topology);
});
afterEach(async () => {
  for (const session of sessions) await session.close();
  await here.dispose();
});

async function open(): Promise<BrokerSession> {
  const session = await BrokerSession.open({
    connection: { urls: [here.url] },
    service: 'test',
  });
  sessions.push(session);
  return session;
}

const deadQueue = () => here.topology.names.deadQueue(job.type);
const workQueue = () => here.topology.names.workQueue(job.type);

/** A replay over a connection of its own, so that its lock is free for the next one. */
async function run(options: Partial<ReplayOptions> = {}) {
  const session = await open();
  const source = { queue: deadQueue(), workQueue: workQueue() };
  const common = { session, topology: here.topology, source, holder: 'the first' };
  const report = await replay({ ...common, ...options });
  await session.close();
  return report;
}

async function bury(ids: readonly string[], headers: Record<string, unknown> = {}) {
  for (const messageId of ids) {
    await here.admin.publish('', deadQueue(), JSON.stringify(messageId), {
      messageId,
      persistent: true,
      headers: { 'x-dead-reason': 'attempts_exhausted', 'x-origin': workQueue(), ...headers },
    });
  }
}

const range = (count: number) => Array.from({ length: count }, (_, at) => `id-${at + 1}`);
const idsOf = (messages: readonly { properties: { messageId?: unknown } }[]) =>
  messages.map(({ properties }) => properties.messageId);

describe('a replay', () => {
  it("puts a job back as a fresh one of the next generation, and keeps what is the publisher's", async () => {
    const before = Date.now();
    await bury(['id-1'], {
      'x-attempt': 5,
      'x-generation': 1,
      'x-snoozes': 2,
      'x-not-before': before + DAY_MS,
      'x-expires-at': before - DAY_MS,
      'x-published-at': before - 9 * DAY_MS,
      'x-error': 'attempt 5: Error: x',
      'x-payload-version': 2,
      'x-death': [{ count: 1, reason: 'rejected', queue: workQueue() }],
      'x-delivery-count': 7,
      tenant: 't',
    });
    expect(await run()).toEqual({
      queue: deadQueue(),
      dryRun: false,
      depth: 1,
      selected: 1,
      passed: 0,
      replayed: 1,
      targets: { [workQueue()]: 1 },
      left: 0,
      leftExamples: [],
      cameBack: 0,
      unknown: 0,
      doneBefore: 0,
      missing: 0,
      stopped: undefined,
    });
    const [message] = await collect(here.admin, workQueue(), 1);
    expect(message?.content.toString()).toBe('"id-1"');
    expect(message?.properties).toMatchObject({ messageId: 'id-1', deliveryMode: 2 });
    const {
      'x-published-at': publishedAt,
      // RabbitMQ 3.10 adds it to what is got.
      'x-delivery-count': returns = 0,
      ...headers
    } = message?.properties.headers ?? {};
    expect(returns).toBe(0);
    expect(headers).toEqual({
      'x-generation': 2,
      'x-payload-version': 2,
      'x-replay-of': 'id-1',
      tenant: 't',
    });
    expect(publishedAt).toBeGreaterThanOrEqual(before);
    expect(await here.admin.depth(deadQueue())).toBe(0);
  });

  it('runs a job that failed; one that fails again can be replayed again', async () => {
    const runs = new Runs();
    let failures = 2;
    await here.work([
      handle(job, (one) => {
        runs.add(one);
        failures -= 1;
        if (failures >= 0) throw new Error('boom');
      }),
    ]);
    const jobs = await here.connect();
    const { id } = await jobs.publish(job, 1);
    for (const attemptsSoFar of [1, 2]) {
      await eventually('it is dead', async () => (await here.admin.depth(deadQueue())) === 1);
      expect(await run()).toMatchObject({ replayed: 1, stopped: undefined });
      await runs.reach(attemptsSoFar + 1);
    }
    expect(runs.attemptsOf(id)).toEqual([1, 1, 1]);
    await eventually('it is done', async () => (await here.admin.depth(workQueue())) === 0);
    expect(await here.admin.depth(deadQueue())).toBe(0);
  });

  it('gives a job all its attempts again, and their delays', async () => {
    const runs = new Runs();
    await here.work([
      handle(patient, (one) => {
        runs.add(one);
        if (one.attempt === 1) throw new Error('boom');
      }),
    ]);
    const queue = here.topology.names.deadQueue(patient.type);
    const spent = { 'x-attempt': 2, 'x-generation': 1, 'x-dead-reason': 'attempts_exhausted' };
    await here.admin.publish('', queue, '1', { messageId: 'id-1', headers: spent });
    const source = { queue, workQueue: here.topology.names.workQueue(patient.type) };
    expect(await run({ source })).toMatchObject({ replayed: 1 });
    await runs.reach(2);
    const seen = runs.of('id-1').map(({ job: { attempt, generation } }) => [attempt, generation]);
    expect(seen).toEqual([
      [1, 2],
      [2, 2],
    ]);
    const [first = 0, second = 0] = runs.of('id-1').map(({ atMs }) => atMs);
    expect(second - first).toBeGreaterThanOrEqual(200);
    expect(await here.admin.depth(queue)).toBe(0);
  });

  it('ends although every job fails again, and takes none of them twice', async () => {
    const count = 60;
    const runs = new Runs();
    await bury(range(count));
    await here.work([
      handle(job, (one) => {
        runs.add(one);
        throw new Error('boom');
      }),
    ]);
    const { replayed, cameBack, missing, stopped } = await run({ window: 5 });
    expect({ replayed, cameBack, missing, stopped }).toEqual({
      replayed: count,
      cameBack: 0,
      missing: 0,
      stopped: undefined,
    });
    await eventually('all are dead', async () => (await here.admin.depth(deadQueue())) === count);
    expect(runs.count).toBe(count);
    const dead = await here.admin.take(deadQueue());
    expect(idsOf(dead).sort()).toEqual(range(count).sort());
    for (const { properties } of dead) expect(properties.headers?.['x-generation']).toBe(1);
  });

  it('takes the oldest up to its limit', async () => {
    await bury(range(7));
    expect(await run({ limit: 3 })).toMatchObject({ depth: 7, selected: 3, replayed: 3 });
    expect(idsOf(await collect(here.admin, workQueue(), 3))).toEqual(range(3));
    expect(idsOf(await here.admin.take(deadQueue()))).toEqual(range(7).slice(3));
  });

  it('in a dry run changes nothing', async () => {
    await bury(range(4));
    await here.admin.publish('', deadQueue(), '1', { headers: { 'x-origin': 'nowhere' } });
    const session = await open();
    const source = { queue: deadQueue(), workQueue: workQueue() };
    const options = { session, topology: here.topology, source, holder: 'test' };
    const facts = { dryRun: true, depth: 5, left: 0, missing: 0, stopped: undefined };
    expect(await planReplay(options)).toMatchObject({
      ...facts,
      selected: 5,
      replayed: 5,
      targets: { [workQueue()]: 5 },
    });
    expect(await planReplay({ ...options, limit: 2 })).toMatchObject({
      ...facts,
      selected: 2,
      replayed: 2,
    });
    expect(await here.admin.depth(workQueue())).toBe(0);
    expect(idsOf(await here.admin.take(deadQueue()))).toEqual([...range(4), undefined]);
  });

  it('gives a message without an id one, and takes it where the queue belongs', async () => {
    await here.admin.publish('', deadQueue(), '{"a":1}', { headers: { 'x-origin': 'nowhere' } });
    expect(await run()).toMatchObject({ replayed: 1, targets: { [workQueue()]: 1 } });
    const [message] = await collect(here.admin, workQueue(), 1);
    expect(message?.properties.messageId).toMatch(/^[0-9a-f-]{36}$/);
    expect(message?.properties.headers).toMatchObject({ 'x-generation': 1 });
    expect(message?.properties.headers).not.toHaveProperty('x-replay-of');
  });

  it('takes a suspect back to the suspects', async () => {
    const suspects = here.topology.names.suspectQueue(job.type);
    await bury(['id-1'], { 'x-origin': suspects, 'x-dead-reason': 'poison' });
    expect(await run()).toMatchObject({ targets: { [suspects]: 1 } });
    expect(idsOf(await collect(here.admin, suspects, 1))).toEqual(['id-1']);
  });

  it('leaves what has no queue any more, and says so', async () => {
    await bury(range(3));
    await here.admin.run((channel) => channel.deleteQueue(workQueue()));
    const report = await run();
    expect(report).toMatchObject({ replayed: 0, left: 3 });
    expect(report.leftExamples[0]).toMatchObject({
      id: 'id-1',
      problem: expect.stringContaining(workQueue()),
    });
    await eventually('all are back', async () => (await here.admin.depth(deadQueue())) === 3);
    expect(await here.admin.depth(here.topology.names.unroutable)).toBe(0);
    expect(idsOf(await here.admin.take(deadQueue()))).toEqual(range(3));
  });

  it('keeps all headers of the publisher, or leaves the letter and says so', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`h${at}`, at]));
    const whole = { ...many, long: 'x'.repeat(60_000), list: [1, { deep: true }] };
    await bury(['whole'], whole);
    // The client writes 64 KiB of headers at most: with those of a replay it is more.
    const full = { messageId: 'full', persistent: true, headers: { long: 'x'.repeat(65_480) } };
    await here.admin.publish('', deadQueue(), '1', full);
    await bury(['odd'], { odd: Object.create({ '!': 'nope' }) as unknown });
    await bury(['deep'], { list: [JSON.parse('{"__proto__":{"a":1}}')] });
    await bury(['top'], JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>);
    await bury(['number'], { odd: { '!': 'double', value: -1e300 } });
    await bury(['plain']);
    const session = await open();
    const source = { queue: deadQueue(), workQueue: workQueue() };
    const plan = await planReplay({ session, topology: here.topology, source, holder: 'test' });
    const report = await run();
    expect(plan).toEqual({ ...report, dryRun: true });
    const replayed = await collect(here.admin, workQueue(), report.replayed);
    expect(replayed[0]?.properties.headers).toMatchObject(whole);
    expect(report).toMatchObject({ depth: 7, replayed: 2, left: 5, stopped: undefined });
    const left = (id: string, text: string) => ({
      id,
      problem: expect.stringContaining(`header "headers": ${text}`) as string,
    });
    expect(report.leftExamples).toEqual([
      left('full', 'cannot be encoded'),
      left('odd', 'hold a table with the name "!"'),
      left('deep', 'hold a table with the name "__proto__"'),
      left('top', 'hold a table with the name "__proto__"'),
      left('number', 'cannot be encoded'),
    ]);
    await eventually('they are back', async () => (await here.admin.depth(deadQueue())) === 5);
  });

  it('stops when all that it may hold at once cannot be replayed', async () => {
    await bury(range(9));
    await here.admin.run((channel) => channel.deleteQueue(workQueue()));
    const report = await run({ window: 4 });
    expect(report).toMatchObject({ left: 4, stopped: { reason: 'too_many_left' } });
    await eventually('all are back', async () => (await here.admin.depth(deadQueue())) === 9);
  });

  it('ends when it is asked to, and goes on in the next run', async () => {
    await bury(range(30));
    const interrupted = new AbortController();
    interrupted.abort();
    const report = await run({ signal: interrupted.signal });
    expect(report).toMatchObject({ replayed: 0, stopped: { reason: 'interrupted' } });
    expect(await run()).toMatchObject({ replayed: 30, stopped: undefined });
  });

  it('says when there is no such queue', async () => {
    const source = { queue: 'no.such.dead', workQueue: 'no.such' };
    await expect(run({ source })).rejects.toMatchObject({ code: 'QUEUE_MISSING' });
  });
});

describe('a second replay of the same queue', () => {
  it('is refused with the name of the first, and free once that one has ended', async () => {
    const first = await open();
    const lock = here.topology.names.replayLock(deadQueue());
    await first.lock(lock, 'alice@host, process 7');
    await bury(range(2));
    await expect(run()).rejects.toMatchObject({
      code: 'LOCK_HELD',
      holder: 'alice@host, process 7',
    });
    expect(await here.admin.depth(deadQueue())).toBe(2);
    await first.close();
    expect(await run()).toMatchObject({ replayed: 2 });
  });

  it('waits for the first where that one is about to end', async () => {
    const first = await open();
    await bury(range(2));
    await first.lock(here.topology.names.replayLock(deadQueue()), 'alice@host, process 7');
    const second = run();
    await first.close();
    expect(await second).toMatchObject({ replayed: 2 });
  });
});

describe('the unroutable', () => {
  const unroutable = () => ({ queue: here.topology.names.unroutable, workQueue: undefined });

  it('go back to the queue that they were meant for, once it is there', async () => {
    const { names } = here.topology;
    await here.admin.run((channel) => channel.deleteQueue(workQueue()));
    await here.admin.publish(names.due, workQueue(), '1', { messageId: 'retried' });
    await here.admin.publish(names.due, 'gone.for.good', '2', { messageId: 'unknown' });
    await eventually(
      'both are there',
      async () => (await here.admin.depth(names.unroutable)) === 2,
    );
    expect(await run({ source: unroutable() })).toMatchObject({ replayed: 0, left: 2 });
    await (await open()).declare(here.topology);
    const report = await run({ source: unroutable() });
    expect(report).toMatchObject({ replayed: 1, left: 1, targets: { [workQueue()]: 1 } });
    expect(report.leftExamples).toEqual([
      { id: 'unknown', problem: 'the queue that it was meant for is not known' },
    ]);
    expect(idsOf(await collect(here.admin, workQueue(), 1))).toEqual(['retried']);
    expect(idsOf(await collect(here.admin, names.unroutable, 1))).toEqual(['unknown']);
  });
});
