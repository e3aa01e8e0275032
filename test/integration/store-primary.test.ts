import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newJobId } from '@warren/contracts';
import { migrateStore, type OutboxMessage } from '@warren/store';
import { dropStore, eventually, newNamespace, testStores } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptance, jobBase, lifeOf } from './support/store-events.ts';

const idsOf = (messages: readonly OutboxMessage[]) => messages.map(({ id }) => id);

testStores({ describe, beforeAll, afterAll }, (bench) => {
  it('accepts jobs, visible at once, and leases their messages as they were, oldest first', async () => {
    const { outbox, jobs } = bench.store;
    const batch = [newJobId(), newJobId(), newJobId()].map((id) => acceptance(id));
    const ids = batch.map(({ message }) => message.id);
    expect(await outbox.accept(batch)).toEqual(ids.map((id) => ({ kind: 'accepted', id })));
    expect(await outbox.accept(batch.slice(0, 1))).toEqual([{ kind: 'accepted', id: ids[0] }]);
    expect(await jobs.find(ids[0] ?? '')).toMatchObject([
      { state: 'accepted', service: 'gateway' },
    ]);
    const messages = await outbox.lease({ owner: 'a', limit: 10, leaseMs: 60_000 });
    expect(messages).toEqual(batch.map(({ message }) => ({ ...message, leases: 1 })));
    expect(await outbox.lease({ owner: 'b', limit: 10, leaseMs: 60_000 })).toEqual([]);

    await outbox.done(ids.slice(0, 1));
    await outbox.putBack(ids.slice(1, 2), { delayMs: 0, problem: 'no\0answer' });
    await outbox.putBack(ids.slice(2), { delayMs: 60_000, problem: 'refused' });
    expect(idsOf(await outbox.lease({ owner: 'b', limit: 10, leaseMs: 1 }))).toEqual([ids[1]]);
    await eventually('the lease is over', async () => {
      return (await outbox.lease({ owner: 'c', limit: 10, leaseMs: 60_000 })).length === 1;
    });
    expect(await outbox.pending()).toMatchObject({ count: 2, oldestAtMs: expect.any(Number) });
    await outbox.done(ids);
    expect(await outbox.pending()).toEqual({ count: 0, oldestAtMs: undefined });
  });

  it('leaves messages to the one that accepted them, and never gives one to two relays', async () => {
    const { outbox } = bench.store;
    const own = newJobId();
    await outbox.accept([acceptance(own)], { leaseMs: 60_000 });
    const batch = Array.from({ length: 60 }, () => acceptance(newJobId()));
    await outbox.accept(batch);
    const leases = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        outbox.lease({ owner: `${at}`, limit: 10, leaseMs: 60_000 }),
      ),
    );
    const rest = await outbox.lease({ owner: 'rest', limit: 100, leaseMs: 60_000 });
    const leased = [...leases.flat(), ...rest].map(({ id }) => id);
    expect(leased.sort()).toEqual(batch.map(({ message }) => message.id).sort());
    await outbox.done([own, ...leased]);
  });

  it('leases no more bytes than there is room for, but one message that is larger, and counts its leases', async () => {
    const { outbox } = bench.store;
    const ids = [newJobId(), newJobId(), newJobId()];
    const sized = (id: string, bytes: number) => {
      const { message, ...rest } = acceptance(id);
      return { ...rest, message: { ...message, body: Buffer.alloc(bytes) } };
    };
    await outbox.accept(ids.map((id, at) => sized(id, [1_000, 10, 500][at] ?? 0)));
    const lease = (maxBytes: number, leaseMs = 60_000) =>
      outbox.lease({ owner: 'a', limit: 10, maxBytes, leaseMs });
    expect(idsOf(await lease(100, 0))).toEqual([ids[0]]);
    await outbox.putBack(ids.slice(0, 1), { delayMs: 60_000, problem: 'later' });
    expect(idsOf(await lease(100))).toEqual([ids[1]]);
    await outbox.putBack(ids, { delayMs: 0, problem: 'again' });
    const all = await lease(2_000);
    expect(all.map(({ id, leases }) => [id, leases])).toEqual([
      [ids[0], 2],
      [ids[1], 2],
      [ids[2], 1],
    ]);
    await outbox.done(ids);
  });

  it('accepts one job for a key, whoever comes with it and however many at once', async () => {
    const { outbox } = bench.store;
    const { outbox: elsewhere } = await bench.open();
    const key = `order \0 ${newJobId()}`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const many = [1, 2].map(() => acceptance(newJobId(), key));
        return (at % 2 === 0 ? outbox : elsewhere).accept(many);
      }),
    );
    const accepted = answers.flat().filter(({ kind }) => kind === 'accepted');
    expect(accepted).toHaveLength(1);
    const [{ id } = { id: '' }] = accepted as { id: string }[];
    const others = answers.flat().filter((answer) => answer !== accepted[0]);
    expect(others).toEqual(others.map(() => ({ kind: 'duplicate', id })));
    expect(idsOf(await outbox.lease({ owner: 'a', limit: 10, leaseMs: 60_000 }))).toEqual([id]);
    const late = [
      acceptance(newJobId(), key, 'other'),
      acceptance(newJobId(), key),
      acceptance(newJobId(), `${key}\0`),
    ];
    expect((await outbox.accept(late)).map(({ kind }) => kind)).toEqual([
      'conflict',
      'duplicate',
      'accepted',
    ]);
    await outbox.done([id, late[2]?.message.id ?? '']);
  });

  it('takes no more than the outbox may hold, and more once there is room', async () => {
    const { outbox } = await bench.open({ maxPending: 5 });
    const batch = Array.from({ length: 4 }, () => acceptance(newJobId()));
    await outbox.accept(batch);
    const [one, two] = await outbox.accept([acceptance('fits'), acceptance('does not')]);
    expect([one?.kind, two]).toEqual(['accepted', { kind: 'full', pending: 5 }]);
    expect(await bench.store.jobs.find('does not')).toEqual([]);
    await outbox.done([...batch.map(({ message }) => message.id), 'fits']);
    await eventually('there is room', async () => {
      return (await outbox.accept([acceptance('again')]))[0]?.kind === 'accepted';
    });
    await outbox.done(['again']);
  });

  it('gives a claim to one at a time, with tokens that grow, and to none once it is done', async () => {
    const { claims } = bench.store;
    const { claims: elsewhere } = await bench.open();
    const job = { queue: 'payment.charge', id: newJobId(), owner: 'w', leaseMs: 60_000 };
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? claims : elsewhere).claim(job)),
    );
    expect(tries.filter(({ kind }) => kind === 'claimed')).toEqual([{ kind: 'claimed', token: 1 }]);
    expect(tries.filter(({ kind }) => kind === 'busy')).toHaveLength(19);

    await claims.release({ ...job, token: 7 });
    expect(await claims.claim(job)).toMatchObject({ kind: 'busy' });
    await claims.release({ ...job, token: 1 });
    expect(await claims.claim({ ...job, leaseMs: 1 })).toEqual({ kind: 'claimed', token: 2 });
    await eventually('the lease is over', async () => (await claims.claim(job)).kind === 'claimed');
    expect(await claims.renew({ ...job, token: 2 })).toBe(false);
    expect(await claims.complete({ ...job, token: 2, result: 'stale' })).toBe(false);
    expect(await claims.renew({ ...job, token: 3 })).toBe(true);
    expect(await claims.complete({ ...job, token: 3, result: { charge: 'a\0\ud800' } })).toBe(true);
    expect(await elsewhere.claim(job)).toEqual({ kind: 'done', result: { charge: 'a\0\ud800' } });
    expect(await claims.renew({ ...job, token: 3 })).toBe(false);
  });

  it('forgets old keys and ended claims, not those in use, and remembers who did what', async () => {
    const { retention, claims, outbox, projection, audit } = bench.store;
    const job = { queue: 'q', id: newJobId(), owner: 'w', leaseMs: 60_000 };
    await claims.claim(job);
    await outbox.accept([acceptance('first', 'old key')]);
    await outbox.done(['first']);
    const day = { olderThanMs: 86_400_000, limit: 100 };
    expect([await retention.idempotencyKeys(day), await retention.claims(day)]).toEqual([0, 0]);
    const all = { olderThanMs: 0, limit: 100 };
    await retention.idempotencyKeys(all);
    expect(
      await outbox.accept([acceptance('repeated', 'old key')]),
      'its job is under way',
    ).toMatchObject([{ kind: 'duplicate', id: 'first' }]);
    await projection.apply(lifeOf(jobBase('first'), Date.now() - 10_000, '1'));
    expect(await retention.idempotencyKeys({ olderThanMs: 60_000, limit: 100 })).toBe(0);
    expect(await retention.idempotencyKeys(all)).toBeGreaterThan(0);
    await retention.claims(all);
    expect(await claims.claim(job)).toMatchObject({ kind: 'busy' });
    expect(await outbox.accept([acceptance('second', 'old key')])).toMatchObject([
      { kind: 'accepted' },
    ]);
    await outbox.done(['second']);

    await audit.write({ actor: 'ann', action: 'discard', details: { id: 'a\0' } });
    await audit.write({ actor: 'bob\0', action: 'replay' });
    const page = await audit.list({ limit: 1 });
    expect(page.items).toMatchObject([{ actor: 'bob', action: 'replay', details: null }]);
    expect(await audit.list({ limit: 1, cursor: page.cursor })).toMatchObject({
      items: [{ actor: 'ann', details: { id: 'a\0' } }],
      cursor: undefined,
    });
  });

  it('clears what history can tell again, and keeps jobs that are still in the outbox', async () => {
    const { projection, outbox, jobs } = bench.store;
    const job = jobBase();
    await projection.apply(lifeOf(job, 1, '1'), { stream: 'clear', offset: 3 });
    await projection.apply([], { stream: 'clear', offset: 2 });
    expect(await projection.offset('clear')).toBe(3);
    await outbox.accept([acceptance('waits')]);
    await projection.clear();
    expect(await projection.offset('clear')).toBeUndefined();
    expect(await jobs.find(job.id)).toEqual([]);
    expect(await jobs.find('waits')).toMatchObject([{ state: 'accepted' }]);
    await outbox.done(['waits']);
  });

  it('gives a lock to one store, and to the next once it is released or its store closed', async () => {
    const [one, two] = [await bench.open(), await bench.open()];
    const lock = await one.tryLock('tracker');
    expect(await two.tryLock('tracker')).toBeUndefined();
    await lock?.release();
    const next = await two.tryLock('tracker');
    expect([next?.lost.aborted, lock?.lost.aborted]).toEqual([false, false]);
    await two.close();
    await eventually('the lock is free', () => one.tryLock('tracker'));
  });

  it('makes its tables once when several processes start together; they go down and up again', async () => {
    const namespace = newNamespace();
    const stores = await Promise.all(Array.from({ length: 4 }, () => bench.open({ namespace })));
    await Promise.all(stores.map((store) => store.ping()));
    await stores[0]?.outbox.accept([acceptance('lost by going down')]);
    const options = bench.options({ namespace });
    const newest = await migrateStore(options, 0);
    expect(newest).toBeGreaterThan(0);
    expect(await migrateStore(options, 0)).toBe(0);
    expect(await migrateStore(options, newest)).toBe(0);
    expect(await stores[1]?.outbox.pending()).toMatchObject({ count: 0 });
    await expect(migrateStore(options, newest + 1)).rejects.toThrow(
      `version: must be between 0 and ${newest}`,
    );
    for (const store of stores) await store.close();
    if (bench.kind === 'postgres') await dropStore(namespace);
  });

  it('finds everything again after it was closed', async () => {
    // The embedded one begins with a folder whose making was cut short.
    const half = join(bench.options().dataDir, '..', 'again');
    await mkdir(half);
    await writeFile(join(half, 'PG_VERSION'), '');
    await writeFile(`${half}.making`, '');
    const place = { dataDir: half };
    const job = jobBase();
    const first = await bench.open(place);
    await first.projection.apply(lifeOf(job, 1, '1'));
    await first.close();
    await expect(first.ping()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const second = await bench.open(place);
    expect(await second.jobs.find(job.id)).toHaveLength(1);
    await second.close();
  });
});
