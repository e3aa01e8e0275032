import { StoreTooNewError, StoreUnavailableError } from '@warren/contracts';
import { acceptInTransaction, migrateStore, type Store } from '@warren/store';
import {
  type CuttableProxy,
  dropStore,
  eventually,
  newNamespace,
  openStoreBench,
  sharedDatabaseUrl,
  startProxy,
} from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptance, jobBase, lifeOf } from './support/store-events.ts';

let bench: Awaited<ReturnType<typeof openStoreBench>>;
let proxy: CuttableProxy;
beforeAll(async () => {
  bench = await openStoreBench();
  proxy = await startProxy(sharedDatabaseUrl());
});
afterAll(async () => {
  await bench.dispose();
  proxy.stop();
});

/** A store on the way that the test can cut. */
function openBehindProxy(): Promise<Store> {
  return bench.open({ databaseUrl: proxy.url });
}

describe('PostgreSQL is away', () => {
  it('opens without it, says so at each call, and finds it when it is there', async () => {
    proxy.setOpen(false);
    const store = await openBehindProxy();
    await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
    await expect(store.outbox.accept([acceptance('1')])).rejects.toThrow(StoreUnavailableError);
    proxy.setOpen(true);
    await store.ping();
    const job = jobBase();
    await store.projection.apply(lifeOf(job, 1, '1'), { stream: 's', offset: 1 });

    proxy.setOpen(false);
    const applied = store.projection.apply(lifeOf(jobBase(), 1, '1'), { stream: 's', offset: 2 });
    await expect(applied).rejects.toThrow(StoreUnavailableError);
    await expect(store.jobs.find(job.id)).rejects.toThrow(StoreUnavailableError);
    proxy.setOpen(true);
    await eventually('it answers again', () => store.ping().then(() => true));
    expect(await store.jobs.find(job.id)).toHaveLength(1);
    expect(await store.projection.offset('s')).toBe(1);
  });

  it('tells the holder of a lock that it is lost, and gives it to the next', async () => {
    const [far, near] = [await openBehindProxy(), await bench.open()];
    const lock = await far.tryLock('tracker');
    expect(lock?.lost.aborted).toBe(false);
    proxy.setOpen(false);
    await eventually('the holder knows', () => lock?.lost.aborted);
    expect(lock?.lost.reason).toBeInstanceOf(StoreUnavailableError);
    const next = await eventually('the lock is free', () => near.tryLock('tracker'));
    await lock?.release();
    expect(await near.tryLock('tracker')).toBeUndefined();
    await next.release();
    proxy.setOpen(true);
  });

  it('closes although the server does not answer', async () => {
    const store = await openBehindProxy();
    await store.tryLock('held at the end');
    proxy.setOpen(false);
    await store.close();
    await store.close();
    await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
    proxy.setOpen(true);
  });

  it.each([
    ['a wrong password or user', 'postgres://nobody-at-all@127.0.0.1:5432/postgres'],
    ['a database that is not there', 'postgres://postgres@127.0.0.1:5432/not_there'],
    ['no server', 'postgres://postgres:hunter2@127.0.0.1:1/postgres'],
  ])('names %s, and no password', async (_what, databaseUrl) => {
    const store = await bench.open({ databaseUrl });
    const error = await store.ping().catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(String(error)).toMatch(/nobody-at-all|not_there|ECONNREFUSED/);
    expect(String(error)).not.toContain('hunter2');
  });
});

it('has nothing done later that its caller was told was not done', async () => {
  const store = await bench.open({ timeoutMs: 300 });
  await store.ping();
  const { namespace } = bench;
  const locked = `LOCK TABLE "warren_${namespace}".outbox IN EXCLUSIVE MODE`;
  await bench.transaction('COMMIT', async (client) => {
    await client.query(locked, []);
    await expect(store.outbox.accept([acceptance('late')])).rejects.toThrow(StoreUnavailableError);
  });
  // Whoever waits for the table since before then has it first.
  await bench.transaction('COMMIT', async (client) => void (await client.query(locked, [])));
  expect(await bench.store.jobs.find('late')).toEqual([]);
});

it('holds nobody up with a migration that waits for a table, and is made later', async () => {
  const namespace = newNamespace();
  const options = bench.options({ namespace });
  const store = await bench.open({ namespace });
  await store.ping();
  await store.close();
  // A dump reads for as long as it takes.
  await bench.transaction('ROLLBACK', async (client) => {
    await client.query(`SELECT FROM "warren_${namespace}".leases`, []);
    // Its waiting for the lock has ended, not the statement that waited.
    const cause = { code: '55P03' };
    await expect(migrateStore(options, 0)).rejects.toMatchObject({ cause });
  });
  expect(await migrateStore(options, 0)).toBeGreaterThan(0);
  await dropStore(namespace);
});

it('refuses tables that a newer version made, and leaves them alone', async () => {
  await bench.sql(`INSERT INTO warren.migrations (version, name) VALUES (999, 'to come')`);
  const store = await bench.open();
  await expect(store.ping()).rejects.toThrow(StoreTooNewError);
  await expect(store.ping()).rejects.toThrow(/has version 999, this code knows \d+/);
  await bench.sql('DELETE FROM warren.migrations WHERE version = 999');
  await store.ping();
});

it("accepts jobs in a caller's transaction: all of it or nothing", async () => {
  const { outbox, jobs } = bench.store;
  const { namespace } = bench;
  const accept = (id: string) => [
    acceptance(id, `key of ${id}`),
    acceptance('other', `key of ${id}`),
  ];
  await bench.transaction('ROLLBACK', async (client) => {
    await acceptInTransaction(client, accept('undone'), { namespace });
  });
  expect([await outbox.pending(), await jobs.find('undone')]).toMatchObject([{ count: 0 }, []]);
  await bench.transaction('COMMIT', async (client) => {
    const answers = await acceptInTransaction(client, accept('done'), { namespace });
    expect(answers).toEqual([
      { kind: 'accepted', id: 'done' },
      { kind: 'duplicate', id: 'done' },
    ]);
    expect(await outbox.pending()).toMatchObject({ count: 0 });
  });
  const leased = await outbox.lease({ owner: 'relay', limit: 10, leaseMs: 60_000 });
  expect(leased).toEqual([{ ...acceptance('done').message, leases: 1 }]);
});
