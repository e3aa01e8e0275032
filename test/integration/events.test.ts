import { defineEvent } from '@warren/contracts';
import { collect, endingsOf, eventually, type Installation, install, Runs } from '@warren/testing';
import { subscribe } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const order = z.object({ order: z.number() });
const placed = defineEvent({ type: 'order.placed', schema: order });
const paid = defineEvent({ type: 'order.paid', schema: order });
const created = defineEvent({ type: 'user.created', schema: z.object({ user: z.string() }) });

const retry = { maxAttempts: 3, backoff: { kind: 'fixed', delay: '250ms' } } as const;

let here: Installation;
let runs: Runs;
beforeEach(async () => {
  runs = new Runs();
  here = await install([], {
    events: [placed, paid, created],
    subscribers: ['audit', 'invoice'],
  });
});
afterEach(() => here.dispose());

const deadOf = (name: string) => here.topology.names.deadQueue(name);

/** Publishes to the exchange of events as any other program would. */
const emitAsForeigner = (key: string, body: unknown, properties: object = {}) =>
  here.admin.publish(here.topology.names.events, key, JSON.stringify(body), properties);

describe('an event', () => {
  it('reaches each subscriber once, and the retries of one do not reach the other', async () => {
    const invoices = new Runs();
    await here.work([
      subscribe(placed, { as: 'audit' }, (event) => runs.add(event)),
      subscribe(placed, { as: 'invoice', retry }, (event) => {
        invoices.add(event);
        throw new Error('no paper');
      }),
    ]);
    const jobs = await here.connect();
    const { id } = await jobs.emit(placed, { order: 1 });
    const [dead] = await collect(here.admin, deadOf('invoice'), 1);
    expect(invoices.attemptsOf(id)).toEqual([1, 2, 3]);
    expect(dead?.properties).toMatchObject({
      messageId: id,
      type: 'order.placed',
      headers: {
        'x-dead-reason': 'attempts_exhausted',
        'x-origin': here.topology.names.workQueue('invoice'),
      },
    });
    await runs.reach(1);
    expect(runs.all.map(({ job }) => job)).toEqual([
      expect.objectContaining({
        id,
        type: 'order.placed',
        attempt: 1,
        payload: { order: 1 },
        queue: here.topology.names.workQueue('audit'),
      }),
    ]);
    expect(await here.admin.depth(deadOf('audit'))).toBe(0);
  });

  it('is stored and confirmed though nobody reads it', async () => {
    const jobs = await here.connect();
    const emits = Array.from({ length: 50 }, (_, n) => jobs.emit(placed, { order: n }));
    expect(await endingsOf(emits)).toEqual({ ok: 50 });
    expect(await here.admin.depth(here.topology.names.unroutable)).toBe(0);
  });

  it('is read from the time on when the subscriber first declared its queue', async () => {
    const jobs = await here.connect();
    await jobs.emit(placed, { order: 1 });
    const handler = subscribe(placed, { as: 'audit' }, (event) => runs.add(event));
    const worker = await here.work([handler]);
    await jobs.emit(placed, { order: 2 });
    await runs.reach(1);
    await worker.stop();
    // Its queue stays, and keeps what comes while no process reads it.
    await jobs.emit(placed, { order: 3 });
    await here.work([handler]);
    await runs.reach(2);
    expect(runs.payloads).toEqual([{ order: 2 }, { order: 3 }]);
  });

  it('is shared out between processes that read under one name', async () => {
    const [one, other] = [new Runs(), new Runs()];
    for (const seen of [one, other]) {
      const handler = subscribe(placed, { as: 'audit', concurrency: 1 }, async (event) => {
        runs.add(event);
        seen.add(event);
        // Each leaves work for the other.
        await eventually('both have something', () => one.count > 0 && other.count > 0);
      });
      await here.work([handler]);
    }
    const jobs = await here.connect();
    const emitted = await Promise.all(
      Array.from({ length: 40 }, (_, n) => jobs.emit(placed, { order: n })),
    );
    await runs.reach(40);
    expect(runs.all.map(({ job }) => job.id).sort()).toEqual(emitted.map(({ id }) => id).sort());
  });

  it('that its reader does not expect, or that does not fit, is refused before it is sent', async () => {
    const jobs = await here.connect();
    const unknown = defineEvent({ type: 'order.lost', schema: order });
    expect(
      await endingsOf([
        jobs.emit(unknown, { order: 1 }),
        jobs.emitByType('order.lost', {}),
        jobs.emit(placed, { order: 'one' } as never),
        jobs.emitByType('order.placed', { order: 1 }, { delay: '1s' } as never),
        jobs.emitByType('order.placed', { order: 1 }, { id: 'one' }),
      ]),
    ).toEqual({ UNKNOWN_JOB_TYPE: 2, PAYLOAD_INVALID: 1, CONFIG_INVALID: 2 });
  });

  it('that has expired is dropped', async () => {
    const handler = subscribe(placed, { as: 'audit' }, (event) => runs.add(event));
    await (await here.work([handler])).stop();
    const jobs = await here.connect();
    await jobs.emit(placed, { order: 1 }, { expiresIn: '1ms' });
    await jobs.emit(placed, { order: 2 }, { expiresIn: '10m' });
    await here.work([handler]);
    await runs.reach(1);
    expect(runs.payloads).toEqual([{ order: 2 }]);
    expect(await here.admin.depth(deadOf('audit'))).toBe(0);
  });
});

describe('a subscriber to a pattern', () => {
  it('gets all events that match, each once, checked where it knows them', async () => {
    const handler = subscribe('order.#', { as: 'audit', events: [placed] }, (e) => runs.add(e));
    await here.work([handler]);
    const jobs = await here.connect();
    await jobs.emit(placed, { order: 1 });
    await jobs.emit(paid, { order: 2 });
    await jobs.emit(created, { user: 'ada' });
    await emitAsForeigner('order', ['no word more']);
    await emitAsForeigner('order.lost.twice', 'anything');
    await emitAsForeigner('order.placed', { order: 'not a number' }, { messageId: 'wrong' });
    const [dead] = await collect(here.admin, deadOf('audit'), 1);
    expect(dead?.properties).toMatchObject({
      messageId: 'wrong',
      type: 'order.placed',
      headers: { 'x-dead-reason': 'schema' },
    });
    await runs.reach(4);
    const seen = runs.all.map(({ job }) => [job.type, job.payload]);
    expect(new Map(seen as [string, unknown][])).toEqual(
      new Map<string, unknown>([
        ['order.placed', { order: 1 }],
        ['order.paid', { order: 2 }],
        ['order', ['no word more']],
        ['order.lost.twice', 'anything'],
      ]),
    );
    expect(runs.count).toBe(4);
  });

  it('is told the name of each event, also after retries and in dead letters', async () => {
    const handler = subscribe('#', { as: 'audit', retry }, (event) => {
      runs.add(event);
      throw new Error('again');
    });
    await here.work([handler]);
    const jobs = await here.connect();
    await jobs.emit(paid, { order: 1 });
    await jobs.emit(created, { user: 'ada' });
    await emitAsForeigner('weather.changed', {});
    // What a foreign message says of itself does not count: it was bound by its key.
    await emitAsForeigner('weather.cleared', {}, { type: 'order.paid', messageId: 'liar' });
    const dead = await collect(here.admin, deadOf('audit'), 4);
    const names = ['order.paid', 'user.created', 'weather.changed', 'weather.cleared'];
    expect(dead.map(({ properties }) => properties.type).sort()).toEqual(names);
    for (const { properties } of dead) {
      const seen = runs.of(String(properties.messageId));
      expect(seen.map(({ job }) => [job.attempt, job.type])).toEqual(
        [1, 2, 3].map((attempt) => [attempt, properties.type]),
      );
    }
  });
});

describe('a foreign publisher', () => {
  it('needs no property: the event gets an id of its own for each subscriber', async () => {
    const invoices = new Runs();
    await here.work([
      subscribe(placed, { as: 'audit', retry }, (event) => {
        runs.add(event);
        if (event.attempt === 1) throw new Error('again');
      }),
      subscribe(placed, { as: 'invoice' }, (event) => invoices.add(event)),
    ]);
    await emitAsForeigner('order.placed', { order: 1 });
    await Promise.all([runs.reach(2), invoices.reach(1)]);
    const [first, second] = runs.all.map(({ job }) => job);
    expect([first, second].map((job) => job?.type)).toEqual(['order.placed', 'order.placed']);
    expect(first?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toMatchObject({ id: first?.id, attempt: 2, payload: { order: 1 } });
    expect(invoices.all[0]?.job).toMatchObject({ type: 'order.placed', payload: { order: 1 } });
  });

  it('that puts a message straight into the queue has it checked all the same', async () => {
    await here.work([subscribe(placed, { as: 'audit' }, (event) => runs.add(event))]);
    const queue = here.topology.names.workQueue('audit');
    await here.admin.publish('', queue, '{"order":"one"}', { messageId: 'wrong' });
    await here.admin.publish('', queue, '{"order":1}', { messageId: 'right' });
    const [dead] = await collect(here.admin, deadOf('audit'), 1);
    expect(dead?.properties).toMatchObject({ messageId: 'wrong' });
    await runs.reach(1);
    expect(runs.all[0]?.job).toMatchObject({ id: 'right', type: 'order.placed' });
  });
});

describe('the exchange of events', () => {
  it('is declared again when it was deleted under load, and its readers are bound again', async () => {
    await here.work([subscribe(placed, { as: 'audit' }, (event) => runs.add(event))]);
    const jobs = await here.connect();
    const emitted: Promise<unknown>[] = [];
    for (let n = 0; n < 500; n += 1) {
      emitted.push(jobs.emit(placed, { order: n }));
      if (n % 50 === 49) await Promise.all(emitted.slice(-50).map((one) => one.catch(() => {})));
      if (n === 200) {
        const { events } = here.topology.names;
        await here.admin.run((channel) => channel.deleteExchange(events));
      }
    }
    expect(await endingsOf(emitted)).toEqual({ ok: 500 });
    await eventually('events are read again', async () => {
      const { id } = await jobs.emit(placed, { order: 1_000 });
      return eventually('it is read', () => runs.of(id).length > 0, 500);
    });
  });
});
