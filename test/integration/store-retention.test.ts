import { newJobId } from '@warren/contracts';
import { eventually, openStoreBench } from '@warren/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptance } from './support/store-events.ts';

let bench: Awaited<ReturnType<typeof openStoreBench>>;
beforeAll(async () => {
  bench = await openStoreBench();
});
afterAll(() => bench.dispose());

/** Forgets while somebody has taken what is old in a transaction that has not ended; resolves with how many are gone. */
async function forgetWhile(taken: string, forget: () => Promise<number>): Promise<number> {
  const take = taken.replaceAll('warren.', `"warren_${bench.namespace}".`);
  let gone: number | undefined;
  let forgetting: Promise<void> | undefined;
  await bench.transaction('COMMIT', async (client) => {
    await client.query(take, []);
    forgetting = forget().then((count) => {
      gone = count;
    });
    const isOver = async () => gone !== undefined || (await isWaiting());
    await eventually('it waits for the transaction, or is over', isOver);
  });
  await forgetting;
  return gone ?? -1;
}

async function isWaiting(): Promise<boolean> {
  const rows = await bench.sql(
    `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'
      AND query LIKE 'DELETE FROM "warren\\_${bench.namespace}".%'`,
  );
  return rows.length > 0;
}

it('does not forget a key that is taken anew meanwhile', async () => {
  const { outbox, retention } = bench.store;
  const { message, event } = acceptance(newJobId());
  const uniqueness = { kind: 'throttle', key: 'k', periodMs: 1 } as const;
  await outbox.acceptUnique([{ message, event, uniqueness }]);
  await eventually('its time is over', async () => {
    const over = 'SELECT FROM warren.unique_keys WHERE ends_at < clock_timestamp()';
    return (await bench.sql(over)).length === 1;
  });
  const take = `UPDATE warren.unique_keys SET ends_at = clock_timestamp() + interval '1 hour'`;
  expect(await forgetWhile(take, () => retention.uniqueKeys({ limit: 10 }))).toBe(0);
});

it('does not forget a claim that is taken anew meanwhile', async () => {
  const { claims, retention } = bench.store;
  await claims.claim({ queue: 'a.b', id: newJobId(), owner: 'a', leaseMs: 0 });
  const take = `UPDATE warren.claims SET lease_ends_at = clock_timestamp() + interval '1 hour'`;
  const forget = () => retention.claims({ olderThanMs: 0, limit: 10 });
  expect(await forgetWhile(take, forget)).toBe(0);
});
