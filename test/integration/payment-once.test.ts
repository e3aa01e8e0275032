import { chargePayment } from '@warren/catalog';
import type { Jobs } from '@warren/client';
import { newJobId } from '@warren/contracts';
import { createService, type PaymentDeps, paymentSettings } from '@warren/payment';
import { loadConfig, type Service } from '@warren/runtime';
import {
  type CuttableProxy,
  dropStore,
  eventually,
  Gate,
  type Installation,
  install,
  quietTelemetry,
  type SeenHistory,
  type StoreBench,
  seeHistory,
  sharedDatabaseUrl,
  startProxy,
  testStores,
} from '@warren/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { charges, PaymentProvider } from './support/payment-provider.ts';

const LEASE_MS = 1_200;

let here: Installation;
let history: SeenHistory;
let jobs: Jobs;
beforeAll(async () => {
  here = await install([chargePayment], { history: true });
  history = seeHistory(here);
  jobs = await here.connect();
});
afterAll(async () => {
  await history.close();
  await here.dispose();
  await dropStore(here.namespace);
});

let provider: PaymentProvider;
let endings: (() => unknown)[];
beforeEach(() => {
  endings = [];
});
afterEach(async () => {
  for (const end of endings.reverse()) await end();
});

/** The provider of this test; a naive one takes money at every request. */
async function startProvider(options = {}): Promise<string> {
  provider = new PaymentProvider(options);
  endings.push(() => provider.stop());
  return provider.start();
}

async function startService(
  providerUrl: string,
  deps: Pick<PaymentDeps, 'store' | 'claimLeaseMs'>,
  env: Record<string, string> = {},
): Promise<{ service: Service; lines: readonly Record<string, unknown>[] }> {
  const { logger, metrics, lines } = quietTelemetry('payment');
  const config = loadConfig(paymentSettings, {
    AMQP_URL: here.url,
    WARREN_NAMESPACE: here.namespace,
    PAYMENT_PROVIDER_URL: providerUrl,
    PAYMENT_PROVIDER_KEY: 'sk_test',
    SHUTDOWN_GRACE_SECONDS: '2',
    ...env,
  });
  const service = createService(config, { logger, metrics, claimLeaseMs: LEASE_MS, ...deps });
  endings.push(() => service.stop());
  await service.start();
  await eventually('the service is ready', () => service.ready().ready);
  return { service, lines };
}

const order = (amount: number) => ({
  orderId: `A-${amount}`,
  amount,
  currency: 'EUR',
  customer: 'cus_1',
});

/** Publishes a charge under an id that is known before, so that the provider can be told what to do with it. */
async function publish(amount: number, id = newJobId()): Promise<string> {
  await jobs.publish(chargePayment, order(amount), { id });
  return id;
}

/** Results of a job's runs and repeats, once it has succeeded so often. */
function results(id: string, times = 1): Promise<unknown[]> {
  return eventually(`${id} succeeded ${times} times`, () => {
    const done = history.of(id).filter((event) => event.kind === 'succeeded');
    return done.length >= times && done.map(({ result }) => JSON.parse(result ?? 'null'));
  });
}

const resultOf = (id: string) => {
  const [charge] = provider.chargesOf(id);
  const { orderId, amount } = charge ?? {};
  return { chargeId: charge?.id, orderId, amount, currency: 'EUR' };
};

testStores({ describe, beforeAll, afterAll }, (bench: StoreBench) => {
  it('charges a job once that comes twice, on two workers, and returns the kept result', async () => {
    const url = await startProvider({ honoursKeys: false });
    const second = bench.kind === 'postgres' ? await bench.open() : bench.store;
    // A machine that stands still for longer would lose claims, and this provider takes money at each request.
    const claimLeaseMs = 5_000;
    await Promise.all(
      [bench.store, second].map((store) => startService(url, { store, claimLeaseMs })),
    );
    const ids = Array.from({ length: 15 }, () => newJobId());
    await Promise.all([...ids, ...ids].map((id, index) => publish(1 + (index % 15), id)));
    for (const id of ids) {
      await results(id, 2);
      await publish(1 + ids.indexOf(id), id);
    }
    for (const id of ids) {
      const expected = resultOf(id);
      expect(await results(id, 3)).toEqual([expected, expected, expected]);
    }
    // Whoever takes money at each request was asked once for each.
    expect(provider.charges.map(({ key }) => key).sort()).toEqual([...ids].sort());
  });
});

describe('a provider that leaves it unknown', () => {
  it('is asked again under the same key until it says what became of the charge', async () => {
    const url = await startProvider();
    const env = { DATABASE_URL: sharedDatabaseUrl(), PAYMENT_TIMEOUT_SECONDS: '1' };
    await startService(url, {}, env);
    const [dies, diesAfter, late, busy, pending, declined] = Array.from({ length: 6 }, newJobId);
    const answersLate = new Gate();
    const scripts = {
      [String(dies)]: [(exchange) => exchange.die()],
      [String(diesAfter)]: [
        (exchange) => {
          exchange.charge();
          exchange.die();
        },
      ],
      [String(late)]: [
        async (exchange) => {
          const charge = exchange.charge();
          await answersLate.opened;
          exchange.answer(201, charge);
        },
        (exchange) => {
          answersLate.open();
          return charges(exchange);
        },
      ],
      [String(busy)]: [(exchange) => exchange.answer(503, {}, { 'retry-after': '1' })],
      [String(pending)]: [
        (exchange) => {
          exchange.charge();
          exchange.answer(409, {}, { 'retry-after': '1' });
        },
      ],
      [String(declined)]: [(exchange) => exchange.answer(402, { code: 'card_declined' })],
    } satisfies Record<string, Parameters<PaymentProvider['script']>[1][]>;
    for (const [id, answerers] of Object.entries(scripts)) provider.script(id, ...answerers);
    const [...ids] = Object.keys(scripts);
    await Promise.all(ids.map((id, index) => publish(100 + index, id)));
    for (const id of ids.filter((one) => one !== declined)) {
      expect(await results(id)).toEqual([resultOf(id)]);
      expect(provider.requestsOf(id)).toBe(2);
      expect(provider.chargesOf(id)).toHaveLength(1);
      // The first attempt failed, and says so; nothing else was spent.
      expect(history.of(id).flatMap((e) => (e.kind === 'started' ? [e.attempt] : []))).toEqual([
        1, 2,
      ]);
    }
    const dead = (await history.until(String(declined), 'dead')).at(-1);
    expect(JSON.stringify(dead)).toContain('declined: the provider answered 402 (card_declined)');
    expect(provider.requestsOf(String(declined))).toBe(1);
    expect(JSON.stringify(history.of(String(declined)))).not.toContain('cus_1');
  });
});

describe('cut connections', () => {
  let store: CuttableProxy;
  let broker: CuttableProxy;
  beforeEach(async () => {
    [store, broker] = await Promise.all([startProxy(sharedDatabaseUrl()), startProxy(here.url)]);
    endings.push(
      () => store.stop(),
      () => broker.stop(),
    );
  });

  it('to the broker: what is delivered again is asked for under the same key', async () => {
    const url = await startProvider();
    await startService(url, {}, { AMQP_URL: broker.url, DATABASE_URL: store.url });
    const ids = [newJobId(), newJobId(), newJobId()];
    for (const id of ids) {
      // Takes the money, and is still about to answer when the broker loses the one who asked.
      provider.script(id, (exchange) => {
        exchange.charge();
        if (ids.every((one) => provider.requestsOf(one) === 1)) broker.cut();
      });
    }
    await Promise.all(ids.map((id, index) => publish(200 + index, id)));
    for (const id of ids) {
      expect(await results(id)).toEqual([resultOf(id)]);
      expect(provider.requestsOf(id)).toBe(2);
      expect(provider.chargesOf(id)).toHaveLength(1);
    }
  });

  it('to the store: a result is kept once it is back, and nobody is charged meanwhile', async () => {
    const url = await startProvider();
    const { lines } = await startService(url, {}, { DATABASE_URL: store.url });
    const [held, slow, waiting] = [newJobId(), newJobId(), newJobId()];
    const said = (text: string) => lines.filter(({ msg }) => String(msg).startsWith(text)).length;
    // Takes the money; the answer does not come before the claim is lost.
    provider.script(slow, (exchange) => exchange.charge());
    provider.script(held, async (exchange) => {
      await eventually('the other one is asked for', () => provider.requestsOf(slow) === 1);
      const charge = exchange.charge();
      store.setOpen(false);
      exchange.answer(201, charge);
    });
    await Promise.all([publish(300, held), publish(301, slow)]);
    await eventually('the result cannot be kept', () => said('a result could not be kept') > 0);
    await publish(302, waiting);
    // By then its lease is over.
    await eventually('it is tried for long', () => said('a result could not be kept') >= 6);
    await eventually('others cannot be claimed', () => said('jobs cannot be claimed') > 0);
    expect(history.of(held).map(({ kind }) => kind)).not.toContain('succeeded');
    expect(provider.requestsOf(waiting)).toBe(0);
    store.setOpen(true);
    const requests = { [held]: 1, [slow]: 2, [waiting]: 1 };
    for (const [id, count] of Object.entries(requests)) {
      expect(await results(id)).toEqual([resultOf(id)]);
      expect(provider.requestsOf(id)).toBe(count);
      expect(provider.chargesOf(id)).toHaveLength(1);
      const attempts = history.of(id).flatMap((e) => (e.kind === 'started' ? [e.attempt] : []));
      expect(attempts).toEqual(Array.from({ length: count }, () => 1));
    }
  });
});
